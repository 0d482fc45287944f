import * as z from 'zod';
import { CONTRACT_PRICES_MAXIMUM, ContractPrice } from '../../attribution/contractPrices.ts';
import { route } from '../route.ts';

const PRICES_BYTES_MAXIMUM = 256 * 1_024;

/** Members of an entry that are no price. */
const TERMS: ReadonlySet<string> = new Set(['provider', 'model', 'from', 'region', 'source']);

/** Two entries with the same key would contradict each other. */
export const contractPriceKey = ({ provider, model, region, billing_mode, from }: ContractPrice): string =>
  JSON.stringify([provider, model, region ?? null, billing_mode ?? 'metered', Date.parse(from)]);

const ContractPricesBody = z
  .strictObject({
    prices: z
      .array(ContractPrice)
      .max(CONTRACT_PRICES_MAXIMUM)
      .superRefine((prices, context) => {
        const keys = prices.map(contractPriceKey);
        for (const [index, price] of prices.entries()) {
          if (keys.indexOf(keys[index] ?? '') !== index)
            context.addIssue({
              code: 'custom',
              path: [index],
              message: 'must not repeat provider, model, region, billing_mode and from of an earlier entry',
            });
          if (Object.keys(price).every((name) => TERMS.has(name)))
            context.addIssue({ code: 'custom', path: [index], message: 'must have at least one price' });
        }
      }),
  })
  .meta({
    id: 'ContractPricesChange',
    description: 'All contract prices. Entries that are not sent are removed',
    example: {
      prices: [
        {
          provider: 'aws.bedrock',
          model: 'anthropic.claude-sonnet-4*',
          region: 'eu-central-1',
          from: '2026-10-01T00:00:00Z',
          input: '2.55',
          output: '12.75',
          source: 'Private pricing addendum 7',
        },
      ],
    },
  });

const version = z.string().meta({
  description: 'Digest of the prices. `explanation.cost.catalogue` of a record names the version it used',
  example: 'contract-5f2b1c9d07ae',
});

export const ContractPricesState = z
  .object({ version, prices: z.array(ContractPrice) })
  .meta({ id: 'ContractPricesState' });

export const PriceChange = z
  .object({
    kind: z.enum(['added', 'changed', 'removed']),
    before: ContractPrice.nullable().meta({ description: 'Null for an added entry' }),
    after: ContractPrice.nullable().meta({ description: 'Null for a removed entry' }),
  })
  .meta({ id: 'ContractPriceChange' });
export type PriceChange = z.infer<typeof PriceChange>;

const ContractPricesChanged = ContractPricesState.extend({
  changes: z.array(PriceChange).nullable().meta({
    description:
      'Entries that this call added, changed or removed. Null if an earlier attempt of the call made the change and was interrupted, so that the earlier prices are not known any more',
  }),
}).meta({ id: 'ContractPricesChanged' });

export const getContractPrices = route({
  method: 'GET',
  path: '/api/v1/contract-prices',
  operation: 'getContractPrices',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'settings',
  summary: 'Read the contract prices',
  description:
    'Prices that the tenant agreed with its providers. They take precedence over list prices, by model, region and time of the call.',
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'read',
  needs: ['tenants.read'],
  replies: { 200: { description: 'All contract prices', body: ContractPricesState } },
});

export const putContractPrices = route({
  method: 'PUT',
  path: '/api/v1/contract-prices',
  operation: 'putContractPrices',
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  unit: 'settings',
  summary: 'Replace the contract prices',
  description: `Replaces all contract prices and reports what changed. Prices are in USD per million tokens and apply to calls from \`from\` on: in \`region\` if it is given, otherwise in every region that has no entry of its own. An entry for a longer model id takes precedence. The prices apply to new events within seconds. Earlier records keep their cost until they are reprocessed. A cost that the provider stated takes precedence over all prices, an estimate of a client does not. Entries with \`billing_mode\` apply to calls that are paid in this way only, such as calls of a subscription, which cost nothing without one. At most ${CONTRACT_PRICES_MAXIMUM} entries. The prices apply to every residency lane, so a credential bound to one is rejected with RESIDENCY_BLOCKED.`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['tenants.write'],
  body: { kind: 'json', schema: ContractPricesBody, maxBytes: PRICES_BYTES_MAXIMUM },
  audit: 'tenant.prices',
  replies: {
    200: { description: 'The current prices, and what the call changed', body: ContractPricesChanged },
  },
});
