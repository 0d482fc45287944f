export { type AttributionTelemetry, attributionTelemetry } from './aiSdk.ts';
export { type TrackedFetchOptions, trackedFetch } from './trackedFetch.ts';
export {
  createTracker,
  type DropReason,
  type TrackedEvent,
  type Tracker,
  type TrackerOptions,
  type TrackerStats,
} from './tracker.ts';
