/** A delivered event. New event types, and new members of any object, may be added at any time. */
export interface WebhookEvent {
  /** The same for every attempt and replay. Use it to detect events that you already handled. */
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly tenant_id: string;
  /** Strictly increasing, without gaps, within one endpoint. */
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Present when `data` is an attribution result. */
  readonly interpretation?: {
    readonly stage_origin: string;
    readonly confidence_band: string;
    readonly degradation_state: string;
  };
  /** Present when the event was sent again by a replay request. */
  readonly replayed?: true;
  /** Present on a sample event that was requested for a test. */
  readonly test?: true;
}

/**
 * The JSON body to return with status 200 for a `webhook.verification` event. Null for every other event. Takes the events
 * of a request too: a challenge is always alone in its request.
 */
export const challengeAnswer = (received: WebhookEvent | readonly WebhookEvent[]): string | null => {
  const [event] = [received].flat();
  const challenge = event?.type === 'webhook.verification' ? event.data['challenge'] : undefined;
  return typeof challenge === 'string' ? JSON.stringify({ challenge }) : null;
};
