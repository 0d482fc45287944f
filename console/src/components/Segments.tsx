interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
}

export const Segments = <Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend.
  <div className="segments" role="group" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </div>
);
