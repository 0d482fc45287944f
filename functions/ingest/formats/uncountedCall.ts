/** What an answered call can have used, by the members of an event. */
const USED =
  /_tokens$|^(?:characters|audio_seconds|video_seconds|images|pages|rerank_searches|estimated_cost_usd)$/;

/** Whether an event is of an answered call and says nothing of what it used. */
export const isUncountedCall = (event: Readonly<Record<string, unknown>>): boolean =>
  event['status'] !== 'error' &&
  !Object.entries(event).some(([name, value]) => value !== undefined && USED.test(name));
