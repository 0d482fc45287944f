import { testWebhook, type WebhookTest } from '../../../typescript/src/index.ts';
import { isSigningSecret } from '../../../typescript/webhooks/verify.ts';
import type { Command } from '../command.ts';
import { valuesOf } from '../contract.ts';
import { eventStream } from '../eventStream.ts';
import { UsageError } from '../faults.ts';
import { forward, newLocalSecret, receiverOf } from '../forward.ts';
import { note, writeJson, writeLine } from '../terminal.ts';
import { shown } from '../text.ts';

type EventType = WebhookTest['type'];

const eventTypes = valuesOf<EventType>({
  'apikey.rotated': true,
  'attribution.materialized': true,
  'attribution.override.applied': true,
  'attribution.disputed': true,
  'cost.implausible': true,
  'degradation.state.changed': true,
  'coverage.degraded': true,
  'coverage.restored': true,
  'connector.health.changed': true,
  'bill_source.health.changed': true,
  'budget.forecast.crossed': true,
  'budget.threshold.crossed': true,
  'export.completed': true,
  'export.failed': true,
  'export.delivered': true,
  'export.delivery.failed': true,
  'period.closed': true,
  'period.reopened': true,
  'anomaly.detected': true,
  'webhook.disabled': true,
});

const INTERVAL_SECONDS = 2;
const INTERVAL_MINIMUM_SECONDS = 0.1;

const intervalOf = (text: string | undefined): number => {
  const seconds = text === undefined ? INTERVAL_SECONDS : Number(text);
  if (seconds >= INTERVAL_MINIMUM_SECONDS && seconds <= 30) return seconds * 1_000;
  throw new UsageError(`--interval must be from ${INTERVAL_MINIMUM_SECONDS} to 30 seconds: ${text}`);
};

/** As many as an endpoint can request. */
const BATCH_MAXIMUM = 100;

const batchSizeOf = (text: string | undefined): number => {
  const size = text === undefined ? 1 : Number(text);
  if (Number.isInteger(size) && size >= 1 && size <= BATCH_MAXIMUM) return size;
  throw new UsageError(`--max-batch-size must be from 1 to ${BATCH_MAXIMUM}: ${text}`);
};

export const webhooksListen: Command = {
  name: 'webhooks listen',
  summary: 'Print the events of the tenant, and forward them to a local port. Ctrl-C stops it',
  options: {
    'forward-to': { placeholder: 'URL', help: 'Post each event to this URL, signed as the service signs' },
    'max-batch-size': {
      placeholder: 'N',
      help: 'Forward up to N events in one request, as to an endpoint with this max_batch_size. Default: 1',
    },
    events: {
      placeholder: 'TYPES',
      help: 'Comma-separated. Default: all that the credential may read',
      values: eventTypes,
    },
    from: { placeholder: 'TIME', help: 'Also events of the past, from this time. At most 30 days' },
    once: { help: 'Stop after the events of the past. Needs --from' },
    interval: {
      placeholder: 'SECONDS',
      help: `Time between two requests to the service. Default: ${INTERVAL_SECONDS}`,
    },
  },
  run: async (call) => {
    const { terminal, option, flag } = call;
    const { env, signal, now } = terminal;
    const to = option('forward-to');
    const receiver = to === undefined ? undefined : receiverOf(to);
    const intervalMs = intervalOf(option('interval'));
    const size = batchSizeOf(option('max-batch-size'));
    const from = option('from');
    const once = flag('once');
    if (once && from === undefined) throw new UsageError('--once needs --from.');
    const secret = env['ATTRIBUTION_WEBHOOK_SECRET'] || newLocalSecret();
    if (!isSigningSecret(secret))
      throw new UsageError('ATTRIBUTION_WEBHOOK_SECRET has too few characters for a signing secret.');
    const client = call.client();
    if (receiver !== undefined) {
      note(terminal, `Forwarding to ${receiver.href}. A failed event is not sent again.`);
      note(terminal, `Signing secret: ${secret}`);
    }
    if (!once) note(terminal, 'Waiting for events. Ctrl-C stops it.');
    let sequence = 0;
    const stream = eventStream(client, terminal, { types: option('events'), from, intervalMs, once, size });
    for await (const list of stream) {
      const events = list.map((event, index) => ({ event, sequence: sequence + index + 1 }));
      sequence += list.length;
      const answer =
        receiver === undefined
          ? undefined
          : await forward(receiver, secret, { events, isBatch: size > 1, at: now() }, signal).catch(
              () => undefined,
            );
      if (signal.aborted) return;
      const result =
        answer === undefined ? {} : typeof answer === 'number' ? { status: answer } : { error: answer };
      for (const one of events) {
        if (flag('json')) await writeJson(terminal, { ...one, ...result });
        else
          await writeLine(
            terminal,
            [one.event.created_at, one.event.type, one.event.id, ...(answer === undefined ? [] : [answer])]
              .map((cell) => shown(cell))
              .join('  '),
          );
      }
    }
  },
};

export const webhooksTrigger: Command = {
  name: 'webhooks trigger',
  summary: 'Send a sample event to a registered webhook endpoint',
  argument: { placeholder: 'TYPE', values: eventTypes },
  options: { endpoint: { placeholder: 'ID', help: 'The endpoint. It must be verified' } },
  run: async (call) => {
    const { terminal, argument, option, flag } = call;
    const endpoint = option('endpoint');
    const type = eventTypes.find((known) => known === argument);
    if (type === undefined)
      throw new UsageError(`The type must be one of ${eventTypes.join(', ')}: ${argument}`);
    if (endpoint === undefined) throw new UsageError('Give the endpoint with --endpoint.');
    const queued = await testWebhook(call.client(), endpoint, { type }, { signal: terminal.signal });
    if (flag('json')) return writeJson(terminal, queued);
    for (const id of queued.event_ids) await writeLine(terminal, id);
    note(terminal, 'The sample is queued for delivery.');
  },
};
