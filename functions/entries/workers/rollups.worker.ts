import type { SQSRecord } from 'aws-lambda';
import { RollupMessage } from '../../../schemas/rollup.ts';
import { budgetEvaluationStore } from '../../budgets/budget.store.ts';
import { budgetEvaluator } from '../../budgets/budgetEvaluator.ts';
import { outbox } from '../../events/outbox.store.ts';
import { ledgerReader } from '../../ledger/ledger.store.ts';
import { groupedQueueHandler } from '../../queue/queueHandler.ts';
import { rollupComputer } from '../../rollups/recompute.ts';
import { rollupWriter } from '../../rollups/rollup.store.ts';
import { pauseAfterConflict } from '../../shared/backoff.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { tenantReader } from '../../tenancy/tenant.store.ts';

const tenants = tenantReader(resource('table', 'tenants'));
const rollups = rollupWriter(resource('table', 'rollups'));
const compute = rollupComputer({
  ledger: ledgerReader(resource('table', 'ledger'), systemClock),
  rollups,
  clock: systemClock,
  pause: pauseAfterConflict,
});
const evaluateBudgets = budgetEvaluator({
  budgets: budgetEvaluationStore(resource('table', 'budgets')),
  rollups,
  outbox: outbox(resource('table', 'outbox')),
  clock: systemClock,
});

const parseMessage = ({ body }: SQSRecord): RollupMessage => RollupMessage.parse(JSON.parse(body));

/**
 * Recomputes the changed rollups and evaluates the budgets. The messages of a tenant are processed together, because they
 * usually concern the same hours and days.
 */
export const handler = groupedQueueHandler(
  (message) => parseMessage(message).tenant_id,
  async (messages) => {
    const parsed = messages.map(parseMessage);
    const tenant = await tenants.tenant(parsed[0]?.tenant_id ?? '');
    if (tenant === null) return;
    const minutes = parsed.flatMap((message) => message.minutes);
    await compute(tenant, minutes);
    await evaluateBudgets(tenant, minutes);
  },
);
