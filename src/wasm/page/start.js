// Before anything is asked: the engine answers.
import { useBackend } from '../../web/page/api.js';
import { makeBackend } from './backend.js';

useBackend(makeBackend());
