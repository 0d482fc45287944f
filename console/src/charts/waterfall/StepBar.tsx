import type { Step } from './waterfall.ts';

/** The bar of a step, from where the step before ended. The text beside it says all of it. */
export const StepBar = ({ step: { from, to, kind } }: { step: Step }) => {
  const [start, end] = [Math.min(from, to) * 200, Math.max(from, to) * 200];
  return (
    <svg className="range" viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="6.5" width="200" height="1" fill="var(--line)" />
      <rect
        x={start}
        y="2"
        width={Math.max(1, end - start)}
        height="10"
        rx="1"
        fill={kind === 'sum' ? 'var(--accent)' : 'var(--ink-3)'}
      />
    </svg>
  );
};
