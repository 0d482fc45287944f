import type { BillProvider } from '../../../../schemas/chargeback/billSourceHealth.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A charge as a provider reports it. `amount` is the text of the JSON number of OpenAI, or of the cents of Anthropic. */
export interface FakeCharge {
  readonly amount: string;
  readonly item?: string | null;
  readonly account?: string | null;
  readonly model?: string | null;
  /** The tokens. OpenAI reports them with the cost, Anthropic in the usage report. */
  readonly quantity?: number;
  /** The service tier, which only Anthropic reports in a member of its own. */
  readonly tier?: string;
  readonly currency?: string;
}

interface FakeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const openaiResult = (
  { amount, item = null, account = null, quantity, currency = 'usd' }: FakeCharge,
  organization: string | undefined,
) => ({
  object: 'organization.costs.result',
  amount: { value: `number:${amount}`, currency },
  line_item: item,
  project_id: account,
  ...(quantity !== undefined && { quantity }),
  organization_id: organization,
});

const anthropicResult = ({
  amount,
  item = null,
  account = null,
  model = null,
  tier = 'standard',
  currency = 'USD',
}: FakeCharge) => ({
  currency,
  amount,
  workspace_id: account,
  description: item,
  cost_type: model === null ? 'web_search' : 'tokens',
  context_window: model === null ? null : '0-200k',
  model,
  service_tier: model === null ? null : tier,
  token_type: model === null ? null : 'uncached_input_tokens',
  inference_geo: null,
});

const anthropicUsage = ({ account = null, model, tier = 'standard', quantity }: FakeCharge) => ({
  uncached_input_tokens: quantity,
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  cache_read_input_tokens: 0,
  output_tokens: 0,
  server_tool_use: { web_search_requests: 0 },
  workspace_id: account,
  model,
  service_tier: tier,
  context_window: '0-200k',
});

/** The billing APIs of both providers, with the shapes of their documentation. One bucket a day, in pages. */
export const fakeProvider = (provider: BillProvider, key: string) => {
  const charged = new Map<string, readonly FakeCharge[]>();
  const requests: URL[] = [];
  const state: {
    pageSize: number;
    instead: ((url: URL) => FakeAnswer | null) | null;
    /** The organization of the key, as the provider reports it. */
    organization: string | undefined;
  } = { pageSize: 100, instead: null, organization: undefined };

  const bodyOf = (
    day: number,
    charges: readonly FakeCharge[],
    next: string | null,
    toResult: (charge: FakeCharge) => object,
  ): string => {
    const paging = { has_more: next !== null, next_page: next };
    const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');
    const page =
      provider === 'openai'
        ? {
            object: 'page',
            data: [
              {
                object: 'bucket',
                start_time: day / 1_000,
                end_time: (day + DAY_MS) / 1_000,
                results: charges.map(toResult),
              },
            ],
            ...paging,
          }
        : {
            data: [
              {
                starting_at: iso(day),
                ending_at: iso(day + DAY_MS),
                results: charges.map(toResult),
              },
            ],
            ...paging,
          };
    return JSON.stringify(page).replaceAll(/"number:([^"]+)"/g, '$1');
  };

  const dayOf = ({ searchParams }: URL): number =>
    provider === 'openai'
      ? Number(searchParams.get('start_time')) * 1_000
      : Date.parse(searchParams.get('starting_at') ?? '');

  return {
    requests,
    state,
    /** The charges that the provider has for a day. Replaces earlier ones. */
    publish: (day: string, charges: readonly FakeCharge[]) => charged.set(day, charges),
    answer: (url: URL, headers: Readonly<Record<string, unknown>>): FakeAnswer => {
      requests.push(url);
      const instead = state.instead?.(url) ?? null;
      if (instead !== null) return instead;
      const sent = provider === 'openai' ? headers['authorization'] : headers['x-api-key'];
      const isKnown = sent === (provider === 'openai' ? `Bearer ${key}` : key);
      if (!isKnown) return { status: 401, body: '{"error":{"message":"Incorrect API key provided"}}' };
      const isUsage = url.pathname === '/v1/organizations/usage_report/messages';
      const published = charged.get(new Date(dayOf(url)).toISOString().slice(0, 10)) ?? [];
      const charges = isUsage ? published.filter(({ quantity }) => quantity !== undefined) : published;
      const toCost = (charge: FakeCharge): object =>
        provider === 'openai' ? openaiResult(charge, state.organization) : anthropicResult(charge);
      const start = Number(url.searchParams.get('page')?.slice('page_'.length) ?? 0);
      const end = start + state.pageSize;
      const next = end < charges.length ? `page_${end}` : null;
      const { organization } = state;
      return {
        status: 200,
        ...(organization !== undefined && {
          headers: { [`${provider}-organization${provider === 'anthropic' ? '-id' : ''}`]: organization },
        }),
        body: bodyOf(dayOf(url), charges.slice(start, end), next, isUsage ? anthropicUsage : toCost),
      };
    },
  };
};
export type FakeProvider = ReturnType<typeof fakeProvider>;
