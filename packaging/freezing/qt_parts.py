# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""Which of Qt's files go along. PyInstaller takes all that might be wanted, which doubles the size of the program."""

import re
from typing import Final

# By their names without the beginning and the ending that each system gives to a library.
_LIBRARIES: Final = frozenset({"Core", "Gui", "Network", "Svg", "Widgets"})
_LIBRARIES_ON_LINUX: Final = frozenset({"DBus", "XcbQpa"})
_PLUGINS: Final = frozenset(
    {
        "iconengines/svgicon",
        "imageformats/svg",
        "networkinformation/glib",
        "networkinformation/networklistmanager",  # whether the network costs money: Windows
        "networkinformation/networkmanager",
        "platforminputcontexts/composeplatforminputcontextplugin",
        "platforminputcontexts/ibusplatforminputcontextplugin",
        "platforms/offscreen",  # a screen that is none: the self-test where nobody sits
        "platforms/windows",
        "platforms/xcb",
        "styles/modernwindowsstyle",
    }
)
_TRANSLATIONS: Final = frozenset({"qtbase_de.qm"})  # Qt speaks English by itself

_PLUGIN: Final = re.compile(r"(?:^|/)plugins/(\w+)/(?:lib)?q?([\w-]+)\.(?:dll|so)$")
_LIBRARY: Final = re.compile(r"(?:^|/)(?:lib)?Qt6(\w+)\.(?:dll|so)[\d.]*$")
_PYTHON_SIDE: Final = re.compile(r"^PySide6/Qt(\w+)\.(?:pyd|abi3\.so)$")
_TRANSLATION: Final = re.compile(r"(?:^|/)translations/([\w-]+\.qm)$")
_SOFTWARE_GRAPHICS: Final = re.compile(r"(?:^|/)(?:opengl32sw|d3dcompiler_\d+)\.dll$", re.IGNORECASE)


def needed(name: str) -> bool:
    """Whether a file of the bundle, named as below its folder, is to go along; what is not Qt's always does."""
    path = name.replace("\\", "/")
    if _SOFTWARE_GRAPHICS.search(path):
        return False  # for 3D, which no window of ours has
    if not path.startswith(("PySide6/", "libQt6", "Qt6")):
        return True
    if plugin := _PLUGIN.search(path):
        return f"{plugin[1]}/{plugin[2]}" in _PLUGINS
    if library := _LIBRARY.search(path) or _PYTHON_SIDE.search(path):
        return library[1] in _LIBRARIES | _LIBRARIES_ON_LINUX
    translation = _TRANSLATION.search(path)
    return translation is None or translation[1] in _TRANSLATIONS
