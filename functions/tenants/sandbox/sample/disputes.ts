import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';

/** A dispute that somebody of the fictional company opens. */
export interface SampleDispute {
  readonly name: string;
  readonly reason: string;
  readonly owner?: string;
  readonly service?: string;
  /** Whether the dispute can be about a call. */
  readonly isAbout: (event: InvocationEvent) => boolean;
}

/** Uncached input of the calls of an incident: more than their service usually sends. */
const LARGE_PROMPT = 30_000;

export const sampleDisputes: readonly SampleDispute[] = [
  {
    name: 'release',
    reason: 'Support did not order this. The release of the platform team sent the whole help centre.',
    owner: 'team-platform',
    isAbout: ({ attributed_service, input_tokens = 0 }) =>
      attributed_service === 'support-copilot' && input_tokens > LARGE_PROMPT,
  },
  {
    name: 'notebook',
    reason: 'A notebook of the yearly risk review. The shared key hides the team.',
    owner: 'team-risk',
    service: 'risk-review',
    isAbout: ({ api_key_name }) => api_key_name === 'notebooks-shared',
  },
  {
    name: 'search',
    reason: 'These searches come from the help pages, so support pays for them.',
    owner: 'team-support',
    isAbout: ({ k8s_workload }) => k8s_workload === 'knowledge-search',
  },
  {
    name: 'contract',
    reason: 'The proxy does not tell the supplier checks from the contract analysis.',
    service: 'supplier-check',
    isAbout: ({ attributed_service }) => attributed_service === 'contract-analyst',
  },
  {
    name: 'unidentified',
    reason: 'The call names nobody, but only the checkout assistant uses this model.',
    owner: 'team-commerce',
    service: 'checkout-assistant',
    isAbout: ({ requested_model, end_user, attributed_service }) =>
      requested_model === 'gpt-5-mini' && end_user === undefined && attributed_service === undefined,
  },
];

/**
 * The call that each dispute is about: the same one in each data set of a seed, whatever its times. A dispute without a
 * call is left out.
 */
export const disputedCalls = (
  events: readonly InvocationEvent[],
): { readonly dispute: SampleDispute; readonly event: InvocationEvent }[] => {
  const byId = events
    .filter(({ status }) => status === 'ok')
    .toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1));
  return sampleDisputes.flatMap((dispute) => {
    const event = byId.find(dispute.isAbout);
    return event === undefined ? [] : [{ dispute, event }];
  });
};
