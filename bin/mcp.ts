import packageJson from '../package.json' with { type: 'json' };
import { useProxy } from '../sdk/cli/src/proxy.ts';
import { createClient } from '../sdk/typescript/src/client.ts';
import { ConfigurationError } from '../sdk/typescript/src/errors.ts';
import { messagesOf } from '../tools/mcp/lines.ts';
import { createMcpServer } from '../tools/mcp/server.ts';

const {
  ATTRIBUTION_URL: baseUrl = 'http://127.0.0.1:3000',
  ATTRIBUTION_API_KEY: apiKey,
  ATTRIBUTION_CLIENT_ID: clientId,
  ATTRIBUTION_CLIENT_SECRET: clientSecret,
} = process.env;

const credentialOf = () => {
  // Many configurations set variables that they do not use to an empty text.
  if (apiKey) return { apiKey };
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
};

// Standard output belongs to the protocol. Everything for people goes to standard error.
useProxy(process.env, (reason) => console.error(reason));
try {
  const credential = credentialOf();
  if (credential === undefined)
    throw new ConfigurationError(
      'Set ATTRIBUTION_API_KEY, or ATTRIBUTION_CLIENT_ID and ATTRIBUTION_CLIENT_SECRET. ATTRIBUTION_URL names the service.',
    );
  const respond = createMcpServer(createClient({ baseUrl, credential }), packageJson.version);
  for await (const message of messagesOf(process.stdin)) {
    // Not awaited: a client sends further requests, and cancellations, while one is running.
    void respond(message).then((reply) => reply !== null && process.stdout.write(`${reply}\n`));
  }
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
