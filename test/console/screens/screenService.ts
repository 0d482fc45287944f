import { once } from 'node:events';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import { challengeAnswer } from '../../../sdk/typescript/webhooks/event.ts';
import { loadSampleOnce } from '../../../tools/start/sample.ts';
import { sampleProgress } from '../../../tools/start/sampleProgress.ts';
import { trustedAuthority } from '../../platform/egress/httpsReceiver.ts';
import { startBillProviders } from '../../support/billProviders.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

const HOST = 'localhost';
const PORT = 8_443;

export const PROVIDER_KEYS = { openai: 'admin-key-at-openai', anthropic: 'admin-key-at-anthropic' };
/** One receiver answers, the other one fails after its challenge. */
export const RECEIVERS = {
  working: `https://${HOST}:${PORT}/inference-events`,
  failing: `https://${HOST}:${PORT}/warehouse`,
} as const;

/** The hour of the day, in UTC, at which the data ends. No run crosses a day, and pictures of other runs compare with it. */
const HOUR = 15;

/** The seconds by which the clock of the service is shifted, so that it is the same hour of the same day. */
const clockOffsetAt = (now: number): number => {
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  return Math.round((day + HOUR * HOUR_MS - now) / 1_000);
};

/** A receiver of webhooks that answers challenges, and events at one of its two paths only. */
const startReceiver = async () => {
  const server = createServer(trustedAuthority.issue([HOST]), async (request, response) => {
    const body = JSON.parse(await text(request));
    const answer = challengeAnswer(body);
    const isFailing = new URL(RECEIVERS.failing).pathname === request.url;
    response.writeHead(answer === null && isFailing ? 503 : 200).end(answer ?? '');
  });
  server.listen(PORT, HOST);
  await once(server, 'listening');
  return server;
};

/** The whole service, with receivers of webhooks and the billing APIs of the providers on this machine. */
export const startScreenService = async () => {
  const providers = await startBillProviders(PROVIDER_KEYS);
  const receiver = await startReceiver();
  const clockOffset = clockOffsetAt(Date.now());
  const instance = await startInstance({
    environment: {
      ...providers.environment,
      CLOCK_OFFSET_SECONDS: String(clockOffset),
      WEBHOOK_ALLOW_HOSTS: `${providers.environment.WEBHOOK_ALLOW_HOSTS},${HOST}:${PORT}`,
    },
  });
  return {
    instance,
    providers,
    /** The clock of the service. */
    now: (): number => Date.now() + clockOffset * 1_000,
    stop: async (): Promise<void> => {
      await instance.stop();
      providers.stop();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
};
export type ScreenService = Awaited<ReturnType<typeof startScreenService>>;

/** For the totals, which follow the records after a delay. Failed deliveries are repeated for a day, so nothing is ever idle. */
const SETTLING_MS = 12_000;

export const settle = async (runtime: Instance['runtime']): Promise<void> => {
  await runtime.idle();
  await sleep(SETTLING_MS);
  await runtime.idle();
};

/** Sends the sample data of `npm start`, and waits until it is in the totals. */
export const loadSample = async ({ instance, now }: ScreenService): Promise<void> => {
  const { credentials, dataDir, runtime } = instance;
  await loadSampleOnce({
    credentials,
    dataDir,
    print: () => undefined,
    progress: sampleProgress(process.stdout),
    stop: new AbortController().signal,
    now,
  });
  await settle(runtime);
};
