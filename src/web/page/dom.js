// Elements without ceremony: h('button', {class: 'quiet', onclick: f}, 'Resign'), and s() for SVG.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'selected') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// A view puts its elements in the place of whatever was there.
export const show = (parent, ...children) => fill(parent, {}, (parent.replaceChildren(), children));

export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// A text is only written when it changed, so that screen readers and selections are left in peace.
export function write(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}
