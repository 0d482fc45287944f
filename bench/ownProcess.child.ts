/** The inside of a process that runs one handler and nothing else, so that its memory is the handler's. */
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const STATUS = '/proc/self/status';

/**
 * The most memory this process ever held, bytes. The kernel's own account (`VmHWM`) where there is one: the maximum of
 * `resourceUsage` begins with that of the process which started this one.
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
if (!isHandler(handler)) throw new Error('there is no handler');

process.on('message', async ({ event, requestId }: { event: unknown; requestId: string }) => {
  const before = process.cpuUsage();
  const began = performance.now();
  const answer = await handler(event, { awsRequestId: requestId });
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before);
  process.send?.({ answer, seconds, cpuSeconds: (user + system) / 1e6, peakBytes: peakBytes() });
});
process.send?.({ answer: null, seconds: 0, cpuSeconds: 0, peakBytes: peakBytes() });
