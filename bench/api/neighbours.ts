import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatApiKey, parseApiKey } from '../../functions/identity/access/principals/apiKey.ts';
import { findDeployment } from '../../tools/operator/deployment.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import type { MeasuredService } from '../support/service.ts';
import { latencies, median, percentile } from '../support/statistics.ts';
import { type Row, type Table, table } from '../support/table.ts';

const PATH = '/v1/attribution?limit=1';
const FLOOD_CONCURRENCY = 8;
/** The rate at which bad keys raised the median latency of others to the sixteenfold before failures were limited. */
const FLOOD_PER_SECOND = 100;
/** Another loopback address than that of the reader, so that the flood is another source. */
const FLOOD_ADDRESS = '127.0.0.2';

interface ReadStatistics {
  readonly latenciesMs: number[];
  readonly throttled: number;
}

const read = async (url: string, key: string, times: number): Promise<ReadStatistics> => {
  const latenciesMs: number[] = [];
  let throttled = 0;
  for (let count = 0; count < times; count += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    await response.text();
    latenciesMs.push(performance.now() - startedAt);
    throttled += response.status === 429 ? 1 : 0;
  }
  return { latenciesMs, throttled };
};

interface Flood {
  readonly name: string;
  /** The key of each request. */
  readonly key: () => string;
  /** Requests a second; as fast as possible if absent. */
  readonly rate?: number;
}

interface FloodResult {
  readonly requests: number;
  readonly byStatus: ReadonlyMap<number, number>;
}

const statusOf = (url: string, key: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = get(
      url,
      { agent, localAddress: FLOOD_ADDRESS, headers: { 'x-api-key': key } },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    request.once('error', reject);
  });

/** Sends the flood until the work has ended. */
const during = async <Result>(
  url: string,
  { key, rate }: Flood,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly flood: FloodResult }> => {
  const agent = new Agent({ keepAlive: true });
  const byStatus = new Map<number, number>();
  const startedAt = performance.now();
  let isRunning = true;
  let requests = 0;
  const flooders = Array.from({ length: FLOOD_CONCURRENCY }, async () => {
    while (isRunning) {
      const dueAt = rate === undefined ? 0 : startedAt + (requests * 1_000) / rate;
      requests += 1;
      await sleep(Math.max(0, dueAt - performance.now()));
      const status = await statusOf(url, key(), agent);
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    }
  });
  try {
    return { result: await work(), flood: { requests, byStatus } };
  } finally {
    isRunning = false;
    await Promise.all(flooders);
    agent.destroy();
  }
};

/** Well-formed keys that do not exist, with the tag of the tenant. Each attempt needs a lookup in its partition. */
const badKeysOf = (key: string): (() => string) => {
  const parsed = parseApiKey(key);
  if (parsed === null) throw new Error('the key of the demo could not be parsed');
  let count = 0;
  return () => {
    count += 1;
    return formatApiKey('test', parsed.keyId.slice(0, -6) + String(count).padStart(6, '0'), parsed.secret);
  };
};

/** A key of a new tenant on the smallest plan, whose limit is a tenth of the flood. */
const limitedKeyOf = async ({ folder }: MeasuredService): Promise<string> => {
  const administration = await tenantAdministration(
    await findDeployment({ stack: undefined, dataDir: folder }),
  );
  const tenant = await administration.open({
    tenantId: 'limited',
    name: 'Limited',
    plan: 'free',
    residency: [],
  });
  return administration.issueKey(tenant, 'bench', ['read:attribution']);
};

/** Read latency of one tenant: alone, while a source sends bad keys of that tenant, and while another tenant is at its limit. */
export const benchNeighbours = async (service: MeasuredService, times: number): Promise<Table> => {
  const { runtime, reader } = service;
  const url = runtime.baseUrl + PATH;
  const badKeys = badKeysOf(reader.api_keys.read);
  const limitedKey = await limitedKeyOf(service);
  const floods: readonly Flood[] = [
    { name: `${FLOOD_PER_SECOND} bad keys/s`, key: badKeys, rate: FLOOD_PER_SECOND },
    { name: 'bad keys without pause', key: badKeys },
    { name: `tenant over its limit, ${FLOOD_PER_SECOND}/s`, key: () => limitedKey, rate: FLOOD_PER_SECOND },
    { name: 'tenant over its limit without pause', key: () => limitedKey },
  ];
  // Warms up the connections and the environments of the function.
  await read(url, reader.api_keys.read, Math.ceil(times / 5));
  const rows: Row[] = [];
  for (const flood of floods) {
    // Measured before each flood: other processes of the machine change the latency over time.
    const alone = await read(url, reader.api_keys.read, times);
    const startedAt = performance.now();
    const { result, flood: sent } = await during(url, flood, () => read(url, reader.api_keys.read, times));
    const seconds = (performance.now() - startedAt) / 1_000;
    const share = (status: number) => (100 * (sent.byStatus.get(status) ?? 0)) / sent.requests;
    rows.push({
      flood: flood.name,
      'flood/s': sent.requests / seconds,
      '401 %': share(401),
      '429 %': share(429),
      throttled: result.throttled,
      'alone p50 ms': median(alone.latenciesMs),
      ...latencies(result.latenciesMs),
      'p50 ratio': median(result.latenciesMs) / median(alone.latenciesMs),
      'p99 ratio': percentile(result.latenciesMs, 0.99) / percentile(alone.latenciesMs, 0.99),
    });
  }
  return table(
    'Neighbours: reads of one tenant during a flood',
    rows,
    'The flood comes from another source address. Bad keys have the tag of the reading tenant and need a lookup.',
    'A flood without pause uses up the two cores, which gateway, functions, engine and load generator share here.',
  );
};
