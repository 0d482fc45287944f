import { useCompileCache } from '../local/compileCache.ts';

// Lambda runs in UTC. This gives schedules, logs and functions the same time zone on every machine.
process.env['TZ'] = 'UTC';

// Only what is imported later comes from the cache.
useCompileCache();
const { runStartCommand } = await import('../tools/start/start.ts');
await runStartCommand(process.argv.slice(2));
