export { createLookup, type Lookup, type LookupOptions, type LookupSignals } from './lookup.ts';
