import { expect, it } from 'vitest';
import { readOptions } from '../../../tools/start/options.ts';

it('allows only the webhook hosts that are named', () => {
  const options = readOptions(
    ['--allow-webhook-host', 'localhost:8443', '--allow-webhook-host', '127.0.0.1:9443', '--ca', 'ca.pem'],
    {},
  );

  expect(options).toMatchObject({ allowWebhookHosts: ['localhost:8443', '127.0.0.1:9443'], ca: 'ca.pem' });
  expect(readOptions([], {})).toMatchObject({ allowWebhookHosts: [], ca: undefined });
});

it.each(['localhost', 'localhost:', 'https://localhost:8443', 'a:1,b:2', 'me@localhost:1', ''])(
  'throws for the webhook host %j',
  (host) => {
    expect(() => readOptions(['--allow-webhook-host', host], {})).toThrow('--allow-webhook-host');
  },
);
