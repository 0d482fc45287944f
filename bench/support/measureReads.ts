import type { MeasuredService } from './service.ts';
import { measure, request } from './traffic.ts';
import { subtractUsage } from './usage.ts';

/** Reads one URL repeatedly as the reader tenant, and measures AWS calls and latency. */
export const measureReads = async (service: MeasuredService, url: string, repeats: number) => {
  const get = () => request(url, service.reader.api_keys.read);
  const { text } = await get();
  const before = service.usage();
  const { results } = await measure(repeats, 1, get);
  return {
    text,
    used: subtractUsage(before, service.usage()),
    latenciesMs: results.map(({ milliseconds }) => milliseconds),
  };
};
