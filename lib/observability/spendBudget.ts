import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

const SHARES_PERCENT = [80, 100];

/** Mails when the account has spent a share of the monthly budget. Two budgets of an account are free. */
export const addSpendBudget = (
  scope: Construct,
  id: string,
  { monthlyBudget, alarmEmail }: Settings,
): void => {
  if (monthlyBudget === undefined || alarmEmail === undefined) return;
  new CfnBudget(scope, id, {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
    },
    notificationsWithSubscribers: SHARES_PERCENT.map((threshold) => ({
      notification: { notificationType: 'ACTUAL', comparisonOperator: 'GREATER_THAN', threshold },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
    })),
  });
};
