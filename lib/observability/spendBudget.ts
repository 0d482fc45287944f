import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import { tagsOf } from '../names.ts';
import type { Settings } from '../settings.ts';

const SHARES_PERCENT = [80, 100];

/**
 * Mails when the deployment has spent a share of the monthly budget. Two budgets of an account are free. AWS knows the
 * spend of a tag from the day on which the tag is activated for cost allocation.
 */
export const addSpendBudget = (
  scope: Construct,
  id: string,
  { monthlyBudget, alarmEmail, deployment }: Settings,
): void => {
  if (monthlyBudget === undefined || alarmEmail === undefined) return;
  new CfnBudget(scope, id, {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:deployment$${tagsOf(deployment).deployment}`] },
    },
    notificationsWithSubscribers: SHARES_PERCENT.map((threshold) => ({
      notification: { notificationType: 'ACTUAL', comparisonOperator: 'GREATER_THAN', threshold },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
    })),
  });
};
