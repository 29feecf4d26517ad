/** The style of all pages: served as a file, because the policy of the pages allows no inline style. */

/** Where it is served. */
export const stylePath = "/pages.css"

/** The style sheet. */
export const style = `:root{color-scheme:light dark;--ink:#1a2233;--soft:#56607a;--paper:#fff;--ground:#f3f5f9;--line:#d5dae5;--accent:#0b5cad;--accent-ink:#fff;--bad:#a8201a;--good:#1d6b3a;--focus:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ink:#e9edf6;--soft:#aab4ca;--paper:#1a2130;--ground:#10151f;--line:#364058;--accent:#8fc1f5;--accent-ink:#0d1420;--bad:#ff9d95;--good:#8fd6a8;--focus:#8fc1f5}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;max-width:60rem;margin:0 auto;padding:1.25rem 1rem}
.brand{display:inline-flex;gap:.6rem;align-items:center;font-weight:650;color:inherit;text-decoration:none}
main{max-width:60rem;margin:0 auto;padding:0 1rem 4rem}
main.narrow{max-width:27rem;padding-top:6vh}
h1{font-size:1.55rem;line-height:1.25;margin:0 0 .4rem}
h2{font-size:1.15rem;margin:0 0 .25rem}
p{margin:.4rem 0 .9rem}
.soft{color:var(--soft)}
section,.card{background:var(--paper);border:1px solid var(--line);border-radius:.8rem;padding:1.4rem;margin:0 0 1.1rem}
label{display:block;font-weight:600;margin:.9rem 0 .25rem}
.hint{color:var(--soft);font-size:.9rem;margin:.2rem 0 0}
input,select{width:100%;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:.5rem;padding:.6rem .7rem}
input[type=checkbox],input[type=radio]{width:auto;margin-right:.5rem}
fieldset{border:0;padding:0;margin:.9rem 0}
legend{font-weight:600;padding:0}
.choice{font-weight:400;margin:.35rem 0}
button{font:inherit;font-weight:600;border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--accent-ink);padding:.6rem 1.1rem;cursor:pointer}
button.plain{background:transparent;color:var(--accent)}
button.danger{background:transparent;color:var(--bad);border-color:var(--bad)}
.row{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin-top:1.2rem}
.row form{margin:0}
.note{border-left:.3rem solid var(--accent);padding:.6rem .9rem;background:var(--ground);border-radius:.3rem;margin:0 0 1rem}
.note.bad{border-color:var(--bad)}
.note.good{border-color:var(--good)}
dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.3rem 1rem;margin:.6rem 0 0}
dt{color:var(--soft)}
dd{margin:0}
ul.items{list-style:none;margin:.6rem 0 0;padding:0}
ul.items>li{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;align-items:center;border-top:1px solid var(--line);padding:.75rem 0}
ul.items>li:first-child{border-top:0}
code{font:.92em ui-monospace,monospace;background:var(--ground);padding:.1em .35em;border-radius:.25em}
.secret{display:block;padding:.7rem;user-select:all}
@media (max-width:34rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
@media print{header,.row,button{display:none}}
`
