// Before anything is asked: the engine answers.
import { useBackend } from '../../web/page/api.js';
import { h } from '../../web/page/dom.js';
import { linkView } from '../../web/page/view-link.js';
import { makeBackend } from './backend.js';
import { botsView } from './view-bots.js';

const backend = makeBackend();
useBackend(backend);
globalThis.turf.ask = backend.ask; // for the console, and for tests
export const viewsHere = { bots: botsView, 'link/:game/:text': linkView };
document.querySelector('.top nav').append(h('a', { href: '#/bots' }, 'Bots'));
