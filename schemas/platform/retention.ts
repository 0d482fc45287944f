/** How long records are kept, in months. Reports and exports of older calls do not exist. */
export const RECORD_RETENTION_MONTHS = 25;
