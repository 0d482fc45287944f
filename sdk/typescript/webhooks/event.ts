/** An event as it is delivered. New types, and new members of any object, may appear at any time. */
export interface WebhookEvent {
  /** The same at every attempt and replay: what was handled before is told by it. */
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly tenant_id: string;
  /** Strictly increasing, without gaps, within one endpoint. */
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Present when the data is an attribution result. */
  readonly interpretation?: {
    readonly stage_origin: string;
    readonly confidence_band: string;
    readonly degradation_state: string;
  };
  readonly replayed?: true;
  /** Present on a sample that was asked for. */
  readonly test?: true;
}

/** The body to answer a `webhook.verification` event with (status 200, JSON); null for every other event. */
export const challengeAnswer = (event: WebhookEvent): string | null => {
  const challenge = event.type === 'webhook.verification' ? event.data['challenge'] : undefined;
  return typeof challenge === 'string' ? JSON.stringify({ challenge }) : null;
};
