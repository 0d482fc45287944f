import { useCompileCache } from './compileCache.mjs';

// Entry of every thread. Its argument is the module to run.
useCompileCache();
await import(process.argv[2]);
