import { useCompileCache } from '../local/compileCache.mjs';

// npm ci installs the Node version of the project, with which npm starts this. An older one cannot load the rest.
if (!process.features.typescript) {
  console.error('The installation is not complete. Run npm ci, and then npm start.');
  process.exit(1);
}

// Both settings hold from the start of a process only, so this process starts again, with the same process id. The allocator of
// glibc otherwise keeps up to eight arenas a core, each with free memory of ended threads: 85 MiB after the sample. Helper threads
// of the garbage collector otherwise wait for each other on the cores that the functions, which are threads, fill: a quarter of
// the CPU time of an event.
if (process.platform === 'linux' && process.env.MALLOC_ARENA_MAX === undefined) {
  const [, ...args] = process.argv;
  const command = [process.execPath, '--single-threaded-gc', ...process.execArgv, ...args];
  process.execve?.(process.execPath, command, { ...process.env, MALLOC_ARENA_MAX: '2' });
}

// Lambda runs in UTC. This gives schedules, logs and functions the same time zone on every machine.
process.env.TZ = 'UTC';

// Only what is imported later comes from the cache.
useCompileCache();
const { runStartCommand } = await import('../tools/start/start.ts');
await runStartCommand(process.argv.slice(2));
