import { randomUUID } from 'node:crypto';
import { deliverer } from '../../../functions/delivery/webhooks/deliveries/deliver.ts';
import { deliveryLog } from '../../../functions/delivery/webhooks/deliveries/deliveryLog.store.ts';
import type { DeliveryMessage } from '../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';
import { toDueMessages } from '../../../functions/delivery/webhooks/deliveries/dispatch.ts';
import { endpointLeaseStore } from '../../../functions/delivery/webhooks/deliveries/endpointLease.store.ts';
import {
  endpointReader,
  endpointStateStore,
} from '../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import { fanOut } from '../../../functions/delivery/webhooks/streams/fanOut.ts';
import { publisher } from '../../../functions/delivery/webhooks/streams/publish.ts';
import { streamStore } from '../../../functions/delivery/webhooks/streams/stream.store.ts';
import {
  type CredentialReader,
  credentialReader,
} from '../../../functions/identity/access/credential.store.ts';
import type { Egress } from '../../../functions/platform/egress/egress.ts';
import type { OutboundMessage } from '../../../functions/platform/egress/httpsRequest.ts';
import type { EgressOutcome } from '../../../functions/platform/egress/outcome.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { eventInOutbox, relay } from '../../../functions/platform/outbox/relay.ts';
import type { DelayedMessage } from '../../../functions/platform/shared/aws/delayedQueue.aws.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { injectFaults } from '../../identity/credentials/faultInjection.ts';
import { followStream, isConsumed } from '../../support/streams.ts';
import { startTables } from '../../support/tables.ts';
import { deliveryFixtures, KEY } from './deliveryFixtures.ts';
import { answered } from './egressOutcomes.ts';

/** The visibility timeout of the queue: a failed message is received again after it. */
const VISIBILITY_TIMEOUT_MS = 240_000;
/** The batch size of the queue. */
const BATCH_MAXIMUM = 10;
export const batchesOf = <Item>(items: readonly Item[]): [Item, ...Item[]][] => {
  const [first, ...others] = items.slice(0, BATCH_MAXIMUM);
  return first === undefined ? [] : [[first, ...others], ...batchesOf(items.slice(BATCH_MAXIMUM))];
};
/** After this many rounds, the harness fails instead of looping forever. */
const ROUNDS_MAXIMUM = 5_000;

type PostedEvent = RaisedEvent & {
  readonly sequence: number;
  readonly replayed?: true;
  readonly test?: true;
};

export interface Posted {
  readonly url: string;
  readonly at: number;
  /** The first event of the request. */
  readonly event: PostedEvent;
  readonly events: readonly [PostedEvent, ...PostedEvent[]];
  readonly message: OutboundMessage;
}

/** Events whose publishing failed. */
interface Unpublished {
  readonly tenantId: string;
  readonly eventIds: readonly string[];
}

/** Publishing and delivery on real tables and streams, with a simulated clock, queue and receivers. */
export const startDeliveryHarness = async () => {
  const live = await startTables();
  const faults = injectFaults();
  const time = { now: Date.parse('2026-11-21T10:00:00.000Z') };
  const fixtures = deliveryFixtures(time);
  const clock = () => time.now;
  const posted: Posted[] = [];
  const waiting: { readonly message: DeliveryMessage; readonly at: number }[] = [];
  const unpublished: Unpublished[] = [];
  let answer: (posted: Posted) => EgressOutcome | Promise<EgressOutcome> = () => answered(200);
  /** Whether a call of the queue fails, and whether it delivers a message twice. */
  let queueFails = (): boolean => false;
  let isDuplicated = (): boolean => false;
  /** Runs before each step of a process, to inject faults. */
  let beforeStep = (): void => undefined;
  let uniform: () => number = Math.random;

  const failIfInjected = () => {
    if (queueFails()) throw new Error('the queue does not answer');
  };
  /** SQS counts in whole seconds, at most 15 minutes. */
  const visibleAt = (wait: number): number =>
    time.now + Math.max(0, Math.min(900, Math.ceil(wait / 1_000))) * 1_000;
  const queue = {
    send: async (messages: readonly DelayedMessage<DeliveryMessage>[]) => {
      for (const { message, wait } of messages) {
        failIfInjected();
        const copies = isDuplicated() ? 2 : 1;
        for (let copy = 0; copy < copies; copy += 1) waiting.push({ message, at: visibleAt(wait) });
      }
    },
  };
  const streams = streamStore('deliveries');
  const egress: Pick<Egress, 'post'> = {
    post: async (url, message) => {
      const content = JSON.parse(Buffer.from(message.body).toString());
      const events = content.events ?? [content];
      const sent = { url, message, at: time.now, event: events[0], events };
      posted.push(sent);
      return answer(sent);
    },
  };
  const publishing = publisher({ streams, clock, newClaim: randomUUID });
  const publish = fanOut({ endpoints: endpointReader('webhooks'), publisher: publishing });
  const onRaised = relay({
    eventOf: eventInOutbox,
    publish: (tenantId, items) =>
      publish(
        tenantId,
        items.map(({ event }) => event),
      ),
    queueForRetry: async (tenantId, keys) => {
      failIfInjected();
      unpublished.push({ tenantId, eventIds: keys.map(({ sk }) => sk) });
    },
  });
  const delivererOf = (own: Pick<Egress, 'post'> = egress, credentials: Partial<CredentialReader> = {}) => {
    const deliverOnce = deliverer({
      streams,
      endpoints: endpointStateStore('webhooks'),
      credentials: { ...credentialReader('access'), ...credentials },
      log: deliveryLog('deliveries'),
      outbox: outbox('outbox'),
      queue,
      leases: endpointLeaseStore('deliveries'),
      egress: own,
      key: async () => KEY,
      clock,
      uniform: () => uniform(),
      newClaim: randomUUID,
      pause: async () => undefined,
    });
    /** As the handler of the queue at the first receive: what another message replaces is sent as that message. */
    return async (messages: readonly [DeliveryMessage, ...DeliveryMessage[]]) => {
      const returned = await deliverOnce(messages);
      const deferred = returned.flatMap(({ replacement, wait }) =>
        replacement === undefined ? [] : [{ message: replacement, wait }],
      );
      await queue.send(deferred);
      return returned.filter(({ replacement }) => replacement === undefined);
    };
  };
  const deliver = delivererOf();

  const onOutboxChange = followStream(live, 'outbox');
  const onDeliveryChange = followStream(live, 'deliveries', { complete: true });

  const relayStep = () =>
    onOutboxChange(async (Records) => {
      const { batchItemFailures } = await onRaised({ Records: Records.filter(isConsumed('outbox')) });
      if (batchItemFailures.length > 0) throw new Error('a batch item failed');
    });
  const dispatchStep = () =>
    onDeliveryChange((Records) =>
      queue.send(
        toDueMessages(
          Records.map(({ dynamodb }) => dynamodb),
          time.now,
        ),
      ),
    );

  /** Runs a step that may crash. Its committed writes stay, and the process restarts. */
  const attempt = async (step: () => Promise<boolean>): Promise<boolean> => {
    beforeStep();
    try {
      return await step();
    } catch {
      return true;
    } finally {
      faults.restart();
    }
  };

  const takeDue = () => {
    const due = waiting.filter(({ at }) => at <= time.now);
    for (const one of due) waiting.splice(waiting.indexOf(one), 1);
    return due;
  };
  const deliverStep = async (): Promise<boolean> => {
    const due = takeDue();
    const batches = [...Map.groupBy(due, ({ message }) => message.endpoint).values()].flatMap(batchesOf);
    await Promise.all(
      batches.map(async ([first, ...others]) => {
        beforeStep();
        try {
          const early = await deliver([first.message, ...others.map(({ message }) => message)]);
          failIfInjected();
          for (const { message, wait } of early) waiting.push({ message, at: visibleAt(wait) });
        } catch {
          for (const { message } of [first, ...others])
            waiting.push({ message, at: time.now + VISIBILITY_TIMEOUT_MS });
        } finally {
          faults.restart();
        }
      }),
    );
    return due.length > 0;
  };

  /** Runs all processes until nothing is due at the current time. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS_MAXIMUM; round += 1) {
      const happened = [await attempt(relayStep), await attempt(dispatchStep), await deliverStep()];
      const [nextUnpublished] = unpublished.splice(0, 1);
      if (nextUnpublished !== undefined) await retryPublish(nextUnpublished);
      if (!happened.includes(true) && nextUnpublished === undefined) return;
    }
    throw new Error(`still running after ${ROUNDS_MAXIMUM} rounds`);
  };
  const retryPublish = async (message: Unpublished): Promise<void> => {
    const events = await eventsOf(message.tenantId);
    const named = events.filter(({ id }) => message.eventIds.includes(id));
    try {
      await publish(message.tenantId, named);
    } catch {
      faults.restart();
      unpublished.push(message);
    }
  };
  const raisedBy = new Map<string, RaisedEvent[]>();
  const eventsOf = async (tenantId: string) => raisedBy.get(tenantId) ?? [];

  return {
    live,
    faults,
    time,
    posted,
    waiting,
    unpublished,
    streams,
    publishing,
    publish,
    deliver,
    delivererOf,
    queue,
    relayStep,
    dispatchStep,
    settle,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    /** Sets the failures to inject from now on. Without an argument, none. */
    injectFailures: (
      next: { fails?: () => boolean; doubled?: () => boolean; beforeStep?: () => void } = {},
    ) => {
      queueFails = next.fails ?? (() => false);
      isDuplicated = next.doubled ?? (() => false);
      beforeStep = next.beforeStep ?? (() => undefined);
      faults.restart();
    },
    /** Resets to acknowledging receivers and draws of 0.5, and clears posted and waiting messages. */
    reset: (): void => {
      answer = () => answered(200);
      uniform = () => 0.5;
      posted.length = 0;
      waiting.length = 0;
    },
    drawWith: (next: typeof uniform) => {
      uniform = next;
    },
    /** Advances the clock until nothing is waiting, by at most `atMost` milliseconds. */
    pass: async (atMost = Number.POSITIVE_INFINITY): Promise<void> => {
      const end = time.now + atMost;
      for (let round = 0; round < ROUNDS_MAXIMUM; round += 1) {
        await settle();
        const next = Math.min(...waiting.map(({ at }) => at));
        if (next > end || waiting.length === 0) {
          if (Number.isFinite(end)) time.now = end;
          return;
        }
        time.now = next;
      }
      throw new Error(`still running after ${ROUNDS_MAXIMUM} rounds`);
    },
    ...fixtures,
    /** Writes events to the outbox. */
    raise: async (...events: readonly RaisedEvent[]): Promise<void> => {
      for (const event of events) {
        raisedBy.set(event.tenant_id, [...(raisedBy.get(event.tenant_id) ?? []), event]);
        await commit([outbox('outbox').raise(event)]);
      }
    },
    stop: live.stop,
  };
};
export type DeliveryHarness = Awaited<ReturnType<typeof startDeliveryHarness>>;
