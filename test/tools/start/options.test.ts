import { expect, it } from 'vitest';
import { readOptions } from '../../../tools/start/options.ts';

it('admits the webhook receivers that are named, and no others', () => {
  const options = readOptions(
    ['--allow-webhook-host', 'localhost:8443', '--allow-webhook-host', '127.0.0.1:9443', '--ca', 'ca.pem'],
    {},
  );

  expect(options).toMatchObject({ allowWebhookHosts: ['localhost:8443', '127.0.0.1:9443'], ca: 'ca.pem' });
  expect(readOptions([], {})).toMatchObject({ allowWebhookHosts: [], ca: undefined });
});

it.each(['localhost', 'localhost:', 'https://localhost:8443', 'a:1,b:2', 'me@localhost:1', ''])(
  'refuses %j for a webhook receiver',
  (host) => {
    expect(() => readOptions(['--allow-webhook-host', host], {})).toThrow('--allow-webhook-host');
  },
);
