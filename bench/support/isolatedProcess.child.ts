/** Entry of a child process that runs only one handler, so that the process memory is the memory of the handler. */
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const STATUS = '/proc/self/status';

/**
 * Peak resident memory of this process in bytes. Prefers the kernel's `VmHWM`, because the maximum in `resourceUsage`
 * starts at the value of the parent process.
 */
const peakBytes = (): number => {
  const kibibytes = existsSync(STATUS)
    ? Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(STATUS, 'utf8'))?.[1])
    : process.resourceUsage().maxRSS;
  return kibibytes * 1_024;
};

const isHandler = (value: unknown): value is (event: unknown, context: object) => unknown =>
  typeof value === 'function';

const module: Record<string, unknown> = await import(pathToFileURL(process.argv[2] ?? '').href);
const { handler } = module;
if (!isHandler(handler)) throw new Error('the module does not export a handler function');

process.on('message', async ({ event, requestId }: { event: unknown; requestId: string }) => {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const result = await handler(event, { awsRequestId: requestId });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  process.send?.({ result, seconds, cpuSeconds: (user + system) / 1e6, peakBytes: peakBytes() });
});
process.send?.({ result: null, seconds: 0, cpuSeconds: 0, peakBytes: peakBytes() });
