interface Props<Name extends string> {
  names: readonly Name[];
  selected: Name;
  onSelect: (name: Name) => void;
}

/** The parts of a dialog, one of them shown. */
export function DialogTabs<Name extends string>({ names, selected, onSelect }: Props<Name>) {
  return (
    <div className="tabs dialog-tabs" role="tablist">
      {names.map((name) => (
        <button key={name} type="button" role="tab" aria-selected={name === selected} onClick={() => onSelect(name)}>
          {name}
        </button>
      ))}
    </div>
  );
}
