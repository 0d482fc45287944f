import type { Impact } from './impact.ts';

const NOTHING = { low: '0', central: '0', high: '0' } as const;

/**
 * Impact of a span that only groups child spans. The usage that it reports is already counted in its child spans, so its
 * own cost, energy and carbon are zero. Method and version state this.
 */
export const structuralImpact: Impact = {
  cost: {
    source: 'structure',
    catalogue: 'trace',
    price_match: null,
    priced_model: null,
    service_tier_multiplier: null,
    ...NOTHING,
    components: [],
  },
  energy: { method: 'structure', version: 'trace', class: 'A', gsd: 1, ...NOTHING, components: null },
  carbon: {
    method: 'structure',
    version: 'trace',
    zone: null,
    zone_basis: null,
    year: null,
    intensity_gco2e_per_kwh: null,
    gsd: 1,
    ...NOTHING,
    components: null,
  },
  water: null,
  unknown: {},
};
