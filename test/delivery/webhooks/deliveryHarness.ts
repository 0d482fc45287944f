import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { deliverer } from '../../../functions/delivery/webhooks/deliveries/deliver.ts';
import { deliveryLog } from '../../../functions/delivery/webhooks/deliveries/deliveryLog.store.ts';
import { DeliveryMessage } from '../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';
import { endpointLeaseStore } from '../../../functions/delivery/webhooks/deliveries/lease/endpointLease.store.ts';
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
} from '../../../functions/identity/access/principals/credential.store.ts';
import type { Egress } from '../../../functions/platform/egress/egress.ts';
import type { OutboundMessage } from '../../../functions/platform/egress/httpsRequest.ts';
import type { EgressOutcome } from '../../../functions/platform/egress/outcome.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { eventInOutbox, relay } from '../../../functions/platform/outbox/relay.ts';
import { failedMessages } from '../../../functions/platform/queue/failedMessages.aws.ts';
import { queueHandler } from '../../../functions/platform/queue/queueHandler.ts';
import {
  type DelayedMessage,
  delayedQueue,
} from '../../../functions/platform/shared/aws/delayedQueue.aws.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { workers } from '../../../schemas/platform/workers.ts';
import { injectFaults } from '../../identity/credentials/faultInjection.ts';
import { simulatedQueues } from '../../platform/queue/simulatedQueues.ts';
import { followStream, isConsumed } from '../../support/streams.ts';
import { startTables } from '../../support/tables.ts';
import { deliveryFixtures, KEY } from './deliveryFixtures.ts';
import { answered } from './egressOutcomes.ts';

const BATCH_MAXIMUM = workers.deliver.batch.messages;
/** Prefix of the URLs of the queues. */
const SQS_URL = 'https://sqs.example/';
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
  const queues = simulatedQueues(clock, SQS_URL, {
    beforeCall: async () => {
      failIfInjected();
      if (faults.isDead()) throw new Error('the process is dead');
    },
  });
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const deliveries = delayedQueue<DeliveryMessage>(`${SQS_URL}deliveries`);
  const queue = {
    send: (messages: readonly DelayedMessage<DeliveryMessage>[]) =>
      deliveries.send(messages.flatMap((one) => (isDuplicated() ? [one, one] : [one]))),
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
  const publishing = publisher({ streams, queue, clock, newClaim: randomUUID });
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
    clock: Date.now,
  });
  const attempterOf = (own: Pick<Egress, 'post'>, credentials: Partial<CredentialReader>) =>
    deliverer({
      streams,
      endpoints: endpointStateStore('webhooks'),
      credentials: { ...credentialReader('access', Math.random), ...credentials },
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
  /** Delivers messages as their queue does at the first receive: what another message replaces is sent as that message. */
  const delivererOf = (own: Pick<Egress, 'post'> = egress, credentials: Partial<CredentialReader> = {}) => {
    const makeAttempts = attempterOf(own, credentials);
    return async (messages: readonly [DeliveryMessage, ...DeliveryMessage[]]) => {
      const unfinished = await makeAttempts(messages);
      const early = unfinished.filter((one) => 'wait' in one);
      await queue.send(
        early.flatMap(({ replacement, wait }) =>
          replacement === undefined ? [] : [{ message: replacement, wait }],
        ),
      );
      return {
        early: early.filter(({ replacement }) => replacement === undefined),
        failed: unfinished.filter((one) => 'error' in one),
      };
    };
  };
  const deliver = delivererOf();

  const onOutboxChange = followStream(live, 'outbox');
  const onMessages = queueHandler<DeliveryMessage>({
    parse: ({ body }) => DeliveryMessage.parse(JSON.parse(body)),
    keyOf: ({ tenant_id, endpoint }) => `${tenant_id} ${endpoint}`,
    handle: attempterOf(egress, {}),
    sendAgain: queue.send,
    ...failedMessages([`${SQS_URL}deliveries`], `${SQS_URL}deliveriesDeadLetter`),
  });

  const relayStep = () =>
    onOutboxChange(async (Records) => {
      const { batchItemFailures } = await onRaised({ Records: Records.filter(isConsumed('outbox')) });
      if (batchItemFailures.length > 0) throw new Error('a batch item failed');
    });
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

  const deliverStep = async (): Promise<boolean> => {
    const batches = await queues.receive('deliveries', BATCH_MAXIMUM, async (event) => {
      beforeStep();
      const response = await onMessages(event);
      const isAcknowledged = !faults.isDead() && !queueFails();
      faults.restart();
      if (isAcknowledged) return response;
      return {
        batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
      };
    });
    return batches > 0;
  };

  /** Runs all processes until nothing is due at the current time. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS_MAXIMUM; round += 1) {
      const happened = [await attempt(relayStep), await deliverStep()];
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
    /** The delivery messages in their queue, with the time at which they become visible. */
    waiting: () =>
      queues
        .waiting('deliveries')
        .map(({ body, visibleAt }) => ({ message: DeliveryMessage.parse(JSON.parse(body)), at: visibleAt })),
    /** Takes the delivery messages out of their queue. */
    lose: () => queues.lose('deliveries'),
    dead: queues.deadLetters,
    /** Returns dead-lettered delivery messages to their queue. */
    redrive: () => queues.redrive('deliveries'),
    streams,
    publishing,
    publish,
    deliver,
    delivererOf,
    queue,
    relayStep,
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
      queues.lose('deliveries');
    },
    drawWith: (next: typeof uniform) => {
      uniform = next;
    },
    /** Advances the clock until nothing is waiting, by at most `atMost` milliseconds. */
    pass: async (atMost = Number.POSITIVE_INFINITY): Promise<void> => {
      const end = time.now + atMost;
      for (let round = 0; round < ROUNDS_MAXIMUM; round += 1) {
        await settle();
        const next = queues.nextAt();
        if (next > end || queues.isEmpty()) {
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
    stop: async (): Promise<void> => {
      vi.restoreAllMocks();
      await live.stop();
    },
  };
};
export type DeliveryHarness = Awaited<ReturnType<typeof startDeliveryHarness>>;
