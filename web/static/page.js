// Everything on the page works without this; with it, nothing needs reloading.

import * as forms from "./forms.js";
import * as live from "./live.js";
import * as picture from "./picture.js";
import * as press from "./press.js";
import * as voice from "./voice.js";

forms.start();
live.start();
picture.start();
press.start();
voice.start();

document.documentElement.dataset.ready = "1";
