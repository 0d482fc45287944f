/** The context window without a surcharge. */
const STANDARD_WINDOW = '0-200k';

interface Tiered {
  readonly service_tier?: string | null | undefined;
  readonly context_window?: string | null | undefined;
}

/** The tier of a charge: its service tier, and whether its context has another price. */
export const tierOf = ({ service_tier, context_window }: Tiered): string | null | undefined =>
  (context_window ?? STANDARD_WINDOW) === STANDARD_WINDOW
    ? service_tier
    : `${service_tier === 'standard' ? '' : (service_tier ?? '')} long context`.trim();
