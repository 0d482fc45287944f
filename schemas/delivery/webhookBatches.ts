/** The most events that an endpoint can request in one delivery. */
export const BATCH_EVENTS_MAXIMUM = 100;

/** The most bytes of a request with several events. A larger event is sent in a request of its own. */
export const BATCH_BYTES_MAXIMUM = 256 * 1_024;
