/** Age of a call in calendar months. Older ones belong to a month that is closed. */
export const AGE_MONTHS_MAXIMUM = 13;
