// Lets node import the page's modules, which are TypeScript: imported before any of them, which
// therefore are imported by `await import(…)`.

import { register } from 'tsx/esm/api';

register();
