// The page in one file: the same page, with the engine as its back end.
//
//   backend    what api.js asks: the house in a worker, streams, files
//   workers    the workers that think and play for the house; bots that hang
//   storage    the database and the bots, in IndexedDB
//   view-bots  bots that a person puts into the page, and a game to try one
//   worker     the script of a worker, with module (the engine) and scripts (bots)
import { viewsHere } from './start.js';
import { startPage } from '../../web/page/start.js';

startPage(viewsHere);
