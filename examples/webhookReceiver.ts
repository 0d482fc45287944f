/**
 * A minimal webhook receiver over HTTPS. It verifies each delivery, answers the verification challenge, and prints the
 * events. Environment: SIGNING_SECRET (required), KEY_FILE and CERT_FILE (PEM), PORT (default 8443).
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { challengeAnswer } from '../sdk/typescript/webhooks/event.ts';
import { verifyWebhookEvents } from '../sdk/typescript/webhooks/verify.ts';

const { SIGNING_SECRET, KEY_FILE = 'key.pem', CERT_FILE = 'cert.pem', PORT = '8443' } = process.env;
if (!SIGNING_SECRET) {
  console.error('Set SIGNING_SECRET to the signing_secret that the registration returned.');
  process.exit(1);
}

const tls = { key: readFileSync(KEY_FILE), cert: readFileSync(CERT_FILE) };

createServer(tls, async (request, response) => {
  const body = await buffer(request);
  const signature = String(request.headers['service-signature']);
  // One event, or several if the endpoint has a max_batch_size above 1.
  const events = await verifyWebhookEvents({ body, signature }, { secrets: SIGNING_SECRET }).catch(
    () => null,
  );
  if (events === null) {
    response.writeHead(400).end();
    return;
  }
  // Delivery is at least once: a real receiver skips an event.id that it has handled before.
  for (const event of events) console.log(event.sequence, event.type, JSON.stringify(event.data));
  response.writeHead(200, { 'content-type': 'application/json' }).end(challengeAnswer(events) ?? '{}');
}).listen(Number(PORT), () => console.log(`Listening on https://localhost:${PORT}`));
