import { call } from './client.ts';

/** Imports one bill row of one USD for each of two providers, for the first hour of yesterday. */
export const seedBills = async (baseUrl: string, key: string): Promise<void> => {
  const day = new Date(Date.now() - 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
  const bill = {
    BilledCost: '1',
    BillingCurrency: 'USD',
    ChargePeriodStart: `${day}T00:00:00Z`,
    ChargePeriodEnd: `${day}T01:00:00Z`,
  };
  for (const ProviderName of ['OpenAI', 'Anthropic']) {
    const body = { rows: [{ ...bill, ProviderName }] };
    await call(baseUrl, '/api/v1/reconciliation/bills', { method: 'POST', key, body });
  }
};
