/** The course of a series beside its name. Decoration: the chart holds the same figures. */
export const Sparkline = ({ values, color }: { values: readonly number[]; color: string }) => {
  const top = Math.max(...values) || 1;
  const x = (index: number): number => 1 + (index / Math.max(values.length - 1, 1)) * 54;
  const y = (value: number): number => 19 - (value / top) * 16;
  const points = values.map((value, index) => `${x(index)},${y(value)}`);
  const line = `M${points.join('L')}`;
  return (
    <svg width="56" height="22" viewBox="0 0 56 22" aria-hidden="true">
      <path d={`${line}L${x(values.length - 1)},20L${x(0)},20Z`} fill={color} opacity="0.14" />
      <path d={line} fill="none" stroke={color} strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
};
