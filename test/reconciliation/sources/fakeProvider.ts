import type { BillProvider } from '../../../schemas/billSourceHealth.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A charge as a provider reports it. `amount` is the text of the JSON number of OpenAI, or of the cents of Anthropic. */
export interface FakeCharge {
  readonly amount: string;
  readonly item?: string | null;
  readonly account?: string | null;
  readonly model?: string | null;
}

interface FakeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const openaiResult = ({ amount, item = null, account = null }: FakeCharge) => ({
  object: 'organization.costs.result',
  amount: { value: `number:${amount}`, currency: 'usd' },
  line_item: item,
  project_id: account,
  organization_id: 'org-N5x3qCMnvAcIzGeN8BaVsqgL',
});

const anthropicResult = ({ amount, item = null, account = null, model = null }: FakeCharge) => ({
  currency: 'USD',
  amount,
  workspace_id: account,
  description: item,
  cost_type: model === null ? 'web_search' : 'tokens',
  context_window: model === null ? null : '0-200k',
  model,
  service_tier: model === null ? null : 'standard',
  token_type: model === null ? null : 'uncached_input_tokens',
  inference_geo: null,
});

/** The billing APIs of both providers, with the shapes of their documentation. One bucket a day, in pages. */
export const fakeProvider = (provider: BillProvider, key: string) => {
  const published = new Map<string, readonly FakeCharge[]>();
  const requests: URL[] = [];
  const state: { pageSize: number; instead: (() => FakeAnswer) | null } = { pageSize: 100, instead: null };

  const bodyOf = (day: number, charges: readonly FakeCharge[], next: string | null): string => {
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
                results: charges.map(openaiResult),
              },
            ],
            ...paging,
          }
        : {
            data: [
              {
                starting_at: iso(day),
                ending_at: iso(day + DAY_MS),
                results: charges.map(anthropicResult),
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
    publish: (day: string, charges: readonly FakeCharge[]) => published.set(day, charges),
    answer: (url: URL, headers: Readonly<Record<string, unknown>>): FakeAnswer => {
      requests.push(url);
      if (state.instead !== null) return state.instead();
      const sent = provider === 'openai' ? headers['authorization'] : headers['x-api-key'];
      const isKnown = sent === (provider === 'openai' ? `Bearer ${key}` : key);
      if (!isKnown) return { status: 401, body: '{"error":{"message":"Incorrect API key provided"}}' };
      const charges = published.get(new Date(dayOf(url)).toISOString().slice(0, 10)) ?? [];
      const start = Number(url.searchParams.get('page')?.slice('page_'.length) ?? 0);
      const end = start + state.pageSize;
      const next = end < charges.length ? `page_${end}` : null;
      return { status: 200, body: bodyOf(dayOf(url), charges.slice(start, end), next) };
    },
  };
};
export type FakeProvider = ReturnType<typeof fakeProvider>;
