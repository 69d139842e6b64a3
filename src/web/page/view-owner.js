// The owner's link: keeps its token, removes it from the address, and shows the tournaments.
import { keepOwner } from './keep.js';
import { readdress } from './router.js';
import { tournamentsView } from './view-tournaments.js';

export function ownerView(place, { token }, signal) {
	keepOwner(token);
	readdress('/tournaments');
	return tournamentsView(place, {}, signal);
}
