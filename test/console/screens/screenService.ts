import { once } from 'node:events';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { challengeAnswer } from '../../../sdk/typescript/webhooks/event.ts';
import { loadSampleOnce } from '../../../tools/start/sample.ts';
import { sampleProgress } from '../../../tools/start/sampleProgress.ts';
import { trustedAuthority } from '../../egress/httpsReceiver.ts';
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
  const instance = await startInstance({
    environment: {
      ...providers.environment,
      WEBHOOK_ALLOW_HOSTS: `${providers.environment.WEBHOOK_ALLOW_HOSTS},${HOST}:${PORT}`,
    },
  });
  return {
    instance,
    providers,
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
export const loadSample = async ({ credentials, dataDir, runtime }: Instance): Promise<void> => {
  await loadSampleOnce({
    credentials,
    dataDir,
    print: () => undefined,
    progress: sampleProgress(process.stdout),
    stop: new AbortController().signal,
  });
  await settle(runtime);
};
