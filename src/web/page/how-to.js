// The rules of a game, for whoever opens them.
import { h } from './dom.js';

export const howTo = (game) => h('details.panel', h('summary', `How ${game.name} is played`), h('ul.rules.soft', game.rules.map((rule) => h('li', rule))));
