import { once } from 'node:events';
import { createServer } from 'node:https';
import { portOf } from '../../local/engines/freePort.ts';
import { LOOPBACK, trustedAuthority } from '../egress/httpsReceiver.ts';
import { fakeProvider } from '../reconciliation/sources/fakeProvider.ts';

/** The billing APIs of both providers on a local HTTPS server, and the environment with which an instance uses them. */
export const startBillProviders = async (keys: { readonly openai: string; readonly anthropic: string }) => {
  const openai = fakeProvider('openai', keys.openai);
  const anthropic = fakeProvider('anthropic', keys.anthropic);
  const server = createServer(trustedAuthority.issue([LOOPBACK]), (request, response) => {
    const url = new URL(request.url ?? '', 'https://provider.example');
    const provider = url.pathname === '/v1/organization/costs' ? openai : anthropic;
    const { status, headers, body } = provider.answer(url, request.headers);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const host = `${LOOPBACK}:${portOf(server)}`;
  return {
    openai,
    anthropic,
    environment: {
      BILLS_OPENAI_URL: `https://${host}`,
      BILLS_ANTHROPIC_URL: `https://${host}`,
      WEBHOOK_ALLOW_HOSTS: host,
      WEBHOOK_CA: trustedAuthority.cert,
    },
    stop: (): void => {
      server.close();
    },
  };
};
export type BillProviders = Awaited<ReturnType<typeof startBillProviders>>;
