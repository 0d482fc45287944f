// Types for @tgwf/co2, which ships none. Only the parts used here.

declare module '@tgwf/co2/data' {
  /** Ember's yearly averages: gCO2e per kWh by ISO 3166 alpha-3 country, and by area (`WORLD`, `EU`, `ASIA`). */
  export const averageIntensity: { readonly data: Readonly<Record<string, number>> };
}

declare module '@tgwf/co2/data/electricity-maps' {
  /** Electricity Maps' averages for 2025: life-cycle gCO2e per kWh by grid zone. */
  export const yearly2025: {
    readonly data: Readonly<Record<string, { readonly carbonIntensity: { readonly value: number } }>>;
  };
}
