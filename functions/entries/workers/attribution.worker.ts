import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { queues } from '../../../schemas/platform/queues.ts';
import { eventProcessor } from '../../attribution/engine/inbound/processEvent.ts';
import { messageUnpacker } from '../../attribution/engine/inbound/unpackMessage.ts';
import { eventRecorder } from '../../attribution/engine/recordEvent.ts';
import { recordSubscription } from '../../attribution/engine/recordSubscription.ts';
import { reviser } from '../../attribution/engine/revise.ts';
import { traceCorrelator } from '../../attribution/engine/traceCorrelation.ts';
import { rejectionAuditor } from '../../identity/audit/auditRejections.ts';
import { readInboundMessage } from '../../ingest/events/inboundMessage.ts';
import { scrubExhausted } from '../../ingest/events/scrubExhausted.ts';
import { deadLetterSender } from '../../ingest/events/sendToDeadLetterQueue.ts';
import { raisedVersionLog } from '../../ledger/records/raised/raisedVersionLog.store.ts';
import { gatherMarks } from '../../ledger/rollups/marks/gatherMarks.ts';
import { isExhausted, receivesOf } from '../../platform/queue/failure.ts';
import { itemQueueHandler } from '../../platform/queue/itemQueueHandler.ts';
import { cacheLookups } from '../../platform/shared/lookupCache.ts';
import { measure, withMetrics } from '../../platform/shared/metrics.ts';
import { sandboxStore } from '../../tenants/sandbox/sandbox.store.ts';
import { isBeforeReset } from '../../tenants/sandbox/sandbox.ts';
import { archiveIn } from '../stores/archive.ts';
import { webhooksList } from '../stores/delivery.ts';
import { environment } from '../stores/environment.ts';
import { auditAppend } from '../stores/identity.ts';
import { rejectedSend } from '../stores/ingest.ts';
import { coverageRecordHeartbeat } from '../stores/insight.ts';
import { claimsWrite, ledgerShardBits, ledgerWrite, rollupsMark, tracesWrite } from '../stores/ledger.ts';
import { tenantsRead } from '../stores/platform.ts';
import { progressReport } from '../stores/progress.ts';
import { storesIn } from '../stores/provider.ts';
import { ledgerCorrect } from '../stores/records.ts';
import { countersAdd } from '../stores/tenants.ts';
import { attributionContextFromEnv } from '../wiring/attributionContextFromEnv.ts';
import { failuresOf } from '../wiring/failuresOf.ts';

const TENANT_CACHE_MS = 5_000;
const TENANT_CACHE_CAPACITY = 1_000;
/**
 * Events in progress at the same time, over all messages of an invocation. They share most calls: the more there are, the
 * fuller the calls. Each has at most one call in flight. Far more would wait so long for the one thread that calls time out.
 */
const EVENTS_IN_FLIGHT = 64;

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
  progressReport,
  rejectedSend,
  rollupsMark,
  tenantsRead,
  tracesWrite,
  webhooksList,
});
const { counters, deadLetters } = stores;
const sandboxes = sandboxStore(resourceOf('tenants.read'));
const tenantById = cacheLookups(tenants.tenant, {
  lifetime: TENANT_CACHE_MS,
  capacity: TENANT_CACHE_CAPACITY,
  clock,
});
const sandboxState = cacheLookups(async (tenantId) => (await sandboxes.find(tenantId))?.document ?? null, {
  lifetime: TENANT_CACHE_MS,
  capacity: TENANT_CACHE_CAPACITY,
  clock,
});
/** The reports of this invocation, which must end before Lambda freezes the process. */
const progress: Promise<void>[] = [];
const marks = gatherMarks(stores.mark);
const isRaised = recordSubscription(stores.endpoints, clock, raisedVersionLog(resourceOf('outbox.append')));
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
  correlateSpan: traceCorrelator({ traces: stores.traceStore, revise, mark: marks.add, clock }),
});

const sendToDeadLetterQueue = deadLetterSender(deadLetters);

const failures = failuresOf('accepted', 'ingestion');
const scrubProducerMessage = scrubExhausted({
  deadLetters,
  trustedSource: variables.SOURCE_ACCEPTED,
  isExhausted: (message, error) =>
    isExhausted(message, error) || receivesOf(message) >= queues.ingestion.maxReceiveCount,
});

const processMessages = itemQueueHandler({
  unpack: messageUnpacker({
    read: (message) =>
      readInboundMessage(message, {
        trustedSource: variables.SOURCE_ACCEPTED,
        singleTenant: variables.SINGLE_TENANT,
        tenants,
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
  }),
  complete: marks.flush,
  setAside: async (record, error) =>
    record.eventSourceARN === variables.SOURCE_ACCEPTED
      ? failures.setAside(record, error)
      : scrubProducerMessage(record, error),
  returnSoon: failures.returnSoon,
  concurrency: EVENTS_IN_FLIGHT,
  pause: sleep,
});

export const handler = withMetrics(
  async (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<SQSBatchResponse> => {
    const response = await processMessages(event, context);
    await Promise.all([counters.flush(), ...progress.splice(0)]);
    return response;
  },
);
