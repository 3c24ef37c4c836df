/** Style of the report page. Verdicts are told by sign and word first, colour only helps. */
export const STYLE = `
:root { color-scheme: light dark; --ok: light-dark(#14692f, #6bd28a); --bad: light-dark(#b3141b, #ff8a87);
  --dim: light-dark(#5c6270, #9aa1b0); --warn: light-dark(#7a5200, #f0c04d); --line: light-dark(#d6d9e0, #353a45);
  --soft: light-dark(#f4f5f8, #1c1f26); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 1rem; }
h1 { font-size: 1.3rem; margin: 0; }
.sentence { font-size: 1.15rem; margin: .2rem 0 1rem; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; white-space: nowrap; }
thead th { background: var(--soft); }
.held { color: var(--ok); } .violated, .could-not-run { color: var(--bad); font-weight: 600; }
.unobserved { color: var(--warn); } .not-offered { color: var(--dim); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; padding: .3rem .7rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary:focus-visible { outline: 2px solid; outline-offset: 2px; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; font-size: .82rem; }
.reason { border-left: 4px solid var(--bad); white-space: pre-wrap; }
code { overflow-wrap: anywhere; }
`;
