import { randomUUID } from 'node:crypto';
import { RollupsQueueMessage } from '../../../schemas/ledger/rollup.ts';
import { budgetEvaluator } from '../../insight/budgets/alerts/budgetEvaluator.ts';
import { budgetEvaluationStore } from '../../insight/budgets/budget.store.ts';
import { watchedTagReader } from '../../insight/budgets/spend/watchedTags.ts';
import { sortIndexCompactor } from '../../ledger/records/sortIndex/compactSortIndex.ts';
import { sortIndexCompactionStore } from '../../ledger/records/sortIndex/sortIndexCompaction.store.ts';
import { checkBatch } from '../../ledger/rollups/checks/checkBatch.ts';
import { totalsChecker } from '../../ledger/rollups/checks/checkTotals.ts';
import { differenceFinder } from '../../ledger/rollups/checks/findDifferences.ts';
import { groupDirectory } from '../../ledger/rollups/groupDirectory.store.ts';
import { groupLimiter } from '../../ledger/rollups/groupLimit.ts';
import { pendingMarkStore } from '../../ledger/rollups/marks/pendingMark.store.ts';
import { rollupQueue } from '../../ledger/rollups/marks/queue.aws.ts';
import { sumRequester } from '../../ledger/rollups/marks/requestSums.ts';
import { markSummer } from '../../ledger/rollups/marks/sumMarks.ts';
import { rollupWriter } from '../../ledger/rollups/rollupWriter.store.ts';
import { rollupComputer } from '../../ledger/rollups/summing/recompute.ts';
import { receivesOf } from '../../platform/queue/failure.ts';
import { pauseAfterConflict } from '../../platform/shared/retry/backoff.ts';
import { settings } from '../../platform/shared/settings.ts';
import { hasTimeLeft } from '../../platform/shared/time/invocationTime.ts';
import { environment } from '../stores/environment.ts';
import { ledgerShardBits } from '../stores/ledger.ts';
import { outboxAppend, tenantsRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';
import { ledgerRead } from '../stores/records.ts';
import { queueWorker } from '../wiring/queueWorker.ts';

/** Time that is kept free at the end of an invocation, to finish what was started and to send on what is left. */
const RESERVED_MS = 10_000;
/** Time of the reserve in which marks are settled. Budgets are evaluated before. */
const SETTLING_MS = 5_000;
/** Functions on one machine share a clock. The clocks of two machines differ by less. */
const CLOCK_SLACK_MS = settings.ENVIRONMENT === 'local' ? 0 : 5_000;
const hasTime = (): boolean => hasTimeLeft(RESERVED_MS);

const { clock, resourceOf } = environment;
const { tenants, ledger, outbox, shardBits } = storesIn(environment, {
  ledgerRead,
  ledgerShardBits,
  outboxAppend,
  tenantsRead,
});
const rollupTable = resourceOf('rollups.write');
const rollups = rollupWriter(rollupTable);
const budgets = budgetEvaluationStore(resourceOf('budgets.evaluate'));
const queue = rollupQueue(resourceOf('rollups.mark'));
const watchedTags = watchedTagReader(budgets);
const compute = rollupComputer({
  ledger,
  rollups,
  limitGroups: groupLimiter(groupDirectory(rollupTable)),
  watchedTags,
  observeMinute: shardBits.observeMinute,
  clock,
  pause: pauseAfterConflict,
});
const evaluateBudgets = budgetEvaluator({
  budgets,
  rollups,
  outbox,
  clock,
});
const pendingMarks = pendingMarkStore(resourceOf('marks.complete'));
const requestSums = sumRequester({ pendingMarks, queue, clock, newId: randomUUID });
const sumMarks = markSummer({
  ledger,
  compute,
  onSummed: (tenant, minutes) => evaluateBudgets(tenant, minutes, () => hasTimeLeft(SETTLING_MS)),
  pendingMarks,
  requestSums,
  queue,
  clock,
  clockSlack: CLOCK_SLACK_MS,
});
const checkTotals = totalsChecker({
  findDifferences: differenceFinder({
    ledger,
    rollups,
    watchedTags,
    clock,
  }),
  requestSums,
  pendingMarks,
  queue,
  clock,
});
const compactSortIndex = sortIndexCompactor(sortIndexCompactionStore(resourceOf('ledger.read')));

/**
 * Recomputes the changed rollups and evaluates the budgets. The messages of a tenant are processed together, because they
 * usually concern the same hours and days.
 */
export const handler = queueWorker(['rollups'], {
  parse: (record) => {
    const message = RollupsQueueMessage.parse(JSON.parse(record.body));
    return { ...message, isRedelivered: receivesOf(record) > 1 };
  },
  keyOf: ({ tenant_id }) => tenant_id,
  handle: async (messages) => {
    const tenant = await tenants.tenant(messages[0].tenant_id);
    if (tenant === null) return [];
    const marks = messages.filter((message) => 'minutes' in message);
    await sumMarks(tenant, marks, hasTime);
    if (marks.length > 0) await compactSortIndex(tenant.tenant_id, hasTime);
    const checks = messages.filter((message) => 'check' in message);
    const left = await checkBatch(checkTotals, tenant, checks, hasTime);
    return left.map((message) => ({ message, wait: 0 }));
  },
});
