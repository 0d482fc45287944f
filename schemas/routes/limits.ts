/**
 * The most that an operation takes: days or months of a period, months since a call, filters of a query, resources that a
 * tenant can have, and records, rows or events that one request can concern.
 */
export type Limits = Readonly<
  Partial<
    Record<
      | 'period_days'
      | 'hourly_days'
      | 'daily_days'
      | 'period_months'
      | 'age_months'
      | 'filters'
      | 'resources'
      | 'events',
      number
    >
  >
>;
