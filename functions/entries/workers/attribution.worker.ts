import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { queues } from '../../../schemas/platform/queues.ts';
import { announceImplausible } from '../../attribution/engine/announceImplausible.ts';
import { eventProcessor } from '../../attribution/engine/inbound/processEvent.ts';
import { messageUnpacker } from '../../attribution/engine/inbound/unpackMessage.ts';
import { eventRecorder } from '../../attribution/engine/recordEvent.ts';
import { recordSubscription } from '../../attribution/engine/recordSubscription.ts';
import { reviser } from '../../attribution/engine/revise.ts';
import { sameCallFinder } from '../../attribution/engine/sameCall/sameCallFinder.ts';
import { traceCorrelator } from '../../attribution/engine/trace/traceCorrelation.ts';
import { rejectionAuditor } from '../../identity/audit/auditRejections.ts';
import { deadLetterQueue } from '../../ingest/events/deadLetter.aws.ts';
import { readInboundMessage } from '../../ingest/events/inboundMessage.ts';
import { scrubExhausted } from '../../ingest/events/scrubExhausted.ts';
import { deadLetterSender } from '../../ingest/events/sendToDeadLetterQueue.ts';
import { ledgerReader } from '../../ledger/records/ledger.store.ts';
import { raisedVersionLog } from '../../ledger/records/raised/raisedVersionLog.store.ts';
import { gatherMarks } from '../../ledger/rollups/marks/gatherMarks.ts';
import { isExhausted, receivesOf } from '../../platform/queue/failure.ts';
import { messageItems } from '../../platform/queue/messageItems.ts';
import { cacheLookups } from '../../platform/shared/caches/lookupCache.ts';
import { measure } from '../../platform/shared/metrics.ts';
import { resource } from '../../platform/shared/settings.ts';
import { hasTimeLeft } from '../../platform/shared/time/invocationTime.ts';
import { sandboxStore } from '../../tenants/sandbox/sandbox.store.ts';
import { isBeforeReset } from '../../tenants/sandbox/sandbox.ts';
import { archiveIn } from '../stores/archive.ts';
import { webhooksList } from '../stores/delivery.ts';
import { environment } from '../stores/environment.ts';
import { auditAppend } from '../stores/identity.ts';
import { coverageRecordHeartbeat } from '../stores/insight.ts';
import { claimsWrite, ledgerShardBits, ledgerWrite, rollupsMark, tracesWrite } from '../stores/ledger.ts';
import { outboxAppend, tenantsRead } from '../stores/platform.ts';
import { progressReport } from '../stores/progress.ts';
import { storesIn } from '../stores/provider.ts';
import { ledgerCorrect } from '../stores/records.ts';
import { countersAdd } from '../stores/tenants.ts';
import { attributionContextFromEnv } from '../wiring/attributionContextFromEnv.ts';
import { queueWorker } from '../wiring/queueWorker.ts';

/** Of tenants, and of the tenants of senders: otherwise one row is read for each message, and a row has 3,000 reads a second. */
const TENANT_CACHE_MS = 5_000;
const TENANT_CACHE_CAPACITY = 1_000;
/**
 * Events in progress at the same time, over all messages of an invocation. They share most calls: the more there are, the
 * fuller the calls. Each has at most one call in flight. Far more would wait so long for the one thread that calls time out.
 */
const EVENTS_IN_FLIGHT = 128;
/** Time that is kept free at the end of an invocation, to report what was done and what was not. */
const RESERVED_MS = 5_000;

const variables = z
  .object({ SOURCE_ACCEPTED: z.string(), SINGLE_TENANT: z.string().optional() })
  .parse(process.env);

const { clock, resourceOf } = environment;
const { tenants, ...stores } = storesIn(environment, {
  auditAppend,
  claimsWrite,
  countersAdd,
  coverageRecordHeartbeat,
  ledgerCorrect,
  ledgerShardBits,
  ledgerWrite,
  outboxAppend,
  progressReport,
  rollupsMark,
  tenantsRead,
  tracesWrite,
  webhooksList,
});
const { counters } = stores;
const deadLetters = deadLetterQueue(resource('queue', 'acceptedDeadLetter'));
const sandboxes = sandboxStore(resourceOf('tenants.read'));
const cache = { lifetime: TENANT_CACHE_MS, capacity: TENANT_CACHE_CAPACITY, clock };
const tenantById = cacheLookups(tenants.tenant, cache);
const tenantOfSender = cacheLookups(tenants.tenantOfSender, cache);
const sandboxState = cacheLookups(
  async (tenantId) => (await sandboxes.find(tenantId))?.document ?? null,
  cache,
);
/** The reports of this invocation, which must end before Lambda freezes the process. */
const progress: Promise<void>[] = [];
const marks = gatherMarks(stores.mark);
const isRaised = announceImplausible(
  stores,
  recordSubscription(stores.endpoints, clock, raisedVersionLog(resourceOf('outbox.append'))),
);
const revise = reviser(stores.corrections, clock, isRaised);
const recordEvent = eventRecorder({
  auditRejection: rejectionAuditor(stores.audit),
  isRaised,
  isArchived: archiveIn(environment).has,
  revise,
  claims: stores.claimStore,
  ledger: stores.ledgerWriter,
  shardBits: stores.shardBits,
  mark: marks.add,
  attributionContext: attributionContextFromEnv(),
  sameCall: sameCallFinder({
    observed: stores.observedUses,
    corrections: stores.corrections,
    // Records that have left the table are not searched: two logs of a call are not sent that late.
    ledger: ledgerReader(resourceOf('ledger.read'), clock),
    revise,
    mark: marks.add,
    count: counters.note,
    clock,
  }),
  ...traceCorrelator({
    traces: stores.traceStore,
    agreements: stores.traceAgreements,
    records: stores.corrections,
    requestPass: stores.tracePasses.request,
    revise,
    mark: marks.add,
    clock,
  }),
});

const sendToDeadLetterQueue = deadLetterSender(deadLetters);

const scrubProducerMessage = scrubExhausted({
  deadLetters,
  trustedSource: variables.SOURCE_ACCEPTED,
  isExhausted: (message, error) =>
    isExhausted(message, error) || receivesOf(message) >= queues.ingestion.maxReceiveCount,
});

const items = messageItems({
  unpack: messageUnpacker({
    read: (message) =>
      readInboundMessage(message, {
        trustedSource: variables.SOURCE_ACCEPTED,
        singleTenant: variables.SINGLE_TENANT,
        tenants: { tenantOfSender },
      }),
    tenantById,
    isDeleted: async (tenant, receivedAt) => {
      const sandbox = tenant.sandbox === true ? await sandboxState(tenant.tenant_id) : null;
      return sandbox !== null && isBeforeReset(sandbox, receivedAt);
    },
    sendToDeadLetterQueue,
    count: counters.note,
    onRecorded: (tenantId, receivedAt) => {
      measure('recordLatency', clock() - receivedAt);
      progress.push(stores.reportProgress(tenantId, 'recorded', receivedAt));
    },
  }),
  process: eventProcessor({
    recordEvent,
    recordHeartbeat: stores.recordHeartbeat,
    sendToDeadLetterQueue,
    elapsed: () => performance.now(),
    clock,
  }),
  complete: marks.flush,
  concurrency: EVENTS_IN_FLIGHT,
  pause: sleep,
  hasTime: () => hasTimeLeft(RESERVED_MS),
});

export const handler = queueWorker(['accepted', 'ingestion'], {
  ...items,
  handle: async (messages) => {
    const failed = await items.handle(messages);
    await Promise.all([counters.flush(), ...progress.splice(0)]);
    return failed;
  },
  setAside: scrubProducerMessage,
});
