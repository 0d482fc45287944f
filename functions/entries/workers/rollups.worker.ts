import { RollupMessage } from '../../../schemas/rollup.ts';
import { budgetEvaluationStore } from '../../budgets/budget.store.ts';
import { budgetEvaluator } from '../../budgets/budgetEvaluator.ts';
import { outbox } from '../../events/outbox.store.ts';
import { progressStore } from '../../freshness/progress.store.ts';
import { progressReporter } from '../../freshness/progress.ts';
import { ledgerReader } from '../../ledger/ledger.store.ts';
import { spreadStore } from '../../ledger/spread.store.ts';
import { spreadControl } from '../../ledger/spreadControl.ts';
import { failedMessages } from '../../queue/failedMessages.store.ts';
import { groupedQueueHandler } from '../../queue/queueHandler.ts';
import { rollupComputer } from '../../rollups/recompute.ts';
import { rollupWriter } from '../../rollups/rollup.store.ts';
import { pauseAfterConflict } from '../../shared/backoff.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { tenantReader } from '../../tenancy/tenant.store.ts';

const reportProgress = progressReporter(progressStore(resource('table', 'counters')));
const tenants = tenantReader(resource('table', 'tenants'));
const rollups = rollupWriter(resource('table', 'rollups'));
const compute = rollupComputer({
  ledger: ledgerReader(resource('table', 'ledger'), systemClock),
  rollups,
  observeMinute: spreadControl(spreadStore(resource('table', 'ledger')), systemClock).observeMinute,
  clock: systemClock,
  pause: pauseAfterConflict,
});
const evaluateBudgets = budgetEvaluator({
  budgets: budgetEvaluationStore(resource('table', 'budgets')),
  rollups,
  outbox: outbox(resource('table', 'outbox')),
  clock: systemClock,
});

/**
 * Recomputes the changed rollups and evaluates the budgets. The messages of a tenant are processed together, because they
 * usually concern the same hours and days.
 */
export const handler = groupedQueueHandler({
  parse: ({ body }) => RollupMessage.parse(JSON.parse(body)),
  keyOf: ({ tenant_id }) => tenant_id,
  handle: async (messages) => {
    const tenant = await tenants.tenant(messages[0]?.tenant_id ?? '');
    if (tenant === null) return;
    const minutes = messages.flatMap((message) => message.minutes);
    await compute(tenant, minutes);
    for (const { marked_at } of messages) {
      if (marked_at !== undefined) await reportProgress(tenant.tenant_id, 'summed', marked_at);
    }
    await evaluateBudgets(tenant, minutes);
  },
  returnSoon: failedMessages([resource('queue', 'rollups')]),
});
