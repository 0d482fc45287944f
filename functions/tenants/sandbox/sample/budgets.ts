import type { BudgetRequest } from '../../../../schemas/routes/insight/budgets.ts';

/** Budgets of the fictional company. The first is crossed by the sample traffic, the second has room. */
export const sampleBudgets: readonly BudgetRequest[] = [
  {
    name: 'Support copilot',
    ceiling_usd: '2',
    period: 'rolling_30d',
    scope: { service: 'support-copilot' },
  },
  { name: 'Whole company', ceiling_usd: '5000', period: 'quarter', scope: {} },
];
