# ruff: noqa: E501
"""Invented people: first and family names of many cultures, combined at random.

Every culture is a table of male first names, female first names and family names with a style that
says how they are put together. No person meant here exists: the combinations are drawn by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(slots=True)
class Person:
    """An invented person, rendered by templates as ``{slot}`` or ``{slot.form}``."""

    full: str
    last: str
    female: bool
    title: str = ""

    def form(self, attr: str, seen: bool) -> tuple[str, str, str]:
        """Return (before, core, after); ``core`` is what an answer would be."""
        if attr == "":
            return "", self.full, ""
        if attr == "titled":
            return (self.title + " " if self.title else ""), self.full, ""
        if attr == "last":
            return "", self.last if seen else self.full, ""
        if attr == "he":
            return "", "she" if self.female else "he", ""
        if attr == "his":
            return "", "her" if self.female else "his", ""
        if attr == "him":
            return "", "her" if self.female else "him", ""
        if attr == "man":
            return "", "woman" if self.female else "man", ""
        if attr == "first":
            return "", self.full.split()[0], ""
        raise KeyError(attr)

    def __str__(self) -> str:
        return self.full


# style, male, female, family (a fifth entry: family names of women where they differ)
_TABLES: dict[str, tuple[str, ...]] = {
    "english": (
        "en",
        "Arthur Brian Calvin Clive Colin Derek Desmond Dudley Edmund Felix Gareth Geoffrey Graham "
        "Hugh Ivor Jasper Kenneth Leonard Martin Neville Oliver Percy Quentin Roland Stanley Trevor "
        "Victor Wallace Alan Bernard Douglas Edwin Frederick Gilbert Harvey Julian Lawrence Malcolm "
        "Norman Patrick Raymond Samuel Terence Vernon Walter Nathan Howard Curtis Dwight Floyd",
        "Agnes Beatrice Caroline Daphne Eleanor Fiona Gillian Harriet Imogen Joan Kathleen Lorna "
        "Margaret Nora Olive Penelope Rosalind Sheila Una Violet Winifred Abigail Bridget Constance "
        "Dorothy Edith Florence Georgina Hilary Janet Louise Muriel Phyllis Ruth Sylvia Vivian "
        "Charlotte Denise Elaine Gloria",
        "Ashworth Barlow Carrington Dunmore Ellison Fairbank Greenhalgh Holloway Ingleby Jessop "
        "Kershaw Langford Marsden Norwood Oakley Pemberton Quayle Rowntree Sedgwick Thornbury "
        "Underhill Vickers Whitcombe Yardley Atherton Blackwell Colby Drummond Eastwood Fletcher "
        "Garland Hathaway Jardine Kendrick Lockwood Mercer Newell Osgood Prescott Radcliffe "
        "Stockdale Tremaine Upton Wainwright Baxter Crowley Dalton Farrow Goddard Hobbs Keating "
        "Lambert Merrick Nash Parrish Rigby Slater Tucker Wilkes Young Baker Hughes Parker",
    ),
    "irish": (
        "west",
        "Aidan Brendan Cathal Ciarán Conor Cormac Declan Diarmuid Donal Eamon Fergus Fionn Kieran "
        "Liam Lorcan Niall Oisín Pádraig Ronan Seán Tadhg Ultan",
        "Aisling Aoife Bríd Caoimhe Deirdre Eithne Fionnuala Gráinne Máire Maeve Niamh Nuala Orla "
        "Róisín Saoirse Sinéad Siobhán Sorcha Úna",
        "O'Rourke O'Donovan O'Shaughnessy McGrath Gallagher Byrne Brannigan Cassidy Costello "
        "Cullinane Delaney Doherty Fallon Finnegan Flaherty Geraghty Hanrahan Kavanagh Lafferty "
        "MacNamara Mulcahy Quinlan Rafferty Scully Tierney Mac_Giolla Ó_Briain Ní_Dhomhnaill",
    ),
    "scottish": (
        "west",
        "Alasdair Angus Callum Dougal Duncan Euan Fraser Gregor Hamish Iain Lachlan Murdo Rory "
        "Ruairidh Tavish",
        "Ailsa Catriona Eilidh Elspeth Flora Iona Isla Kirsty Mairi Morag Morven Rhona Shona",
        "Abercrombie Buchanan Carmichael Dalgleish Farquharson Galbraith Gillespie Kinnaird Lamont "
        "MacAllister MacKinnon MacPhail McCulloch McLeish Menzies Ogilvie Rattray Sutherland Urquhart",
    ),
    "welsh": (
        "west",
        "Alun Bryn Dafydd Dylan Emlyn Geraint Gethin Gwilym Huw Ieuan Iolo Llŷr Owain Rhodri Rhys Taliesin",
        "Angharad Bethan Bronwen Carys Cerys Eirlys Ffion Gwenllian Heledd Lowri Mair Nerys Rhiannon Sioned",
        "ap_Rhys Bevan Bowen Cadwallader Eynon Gwynne Llewellyn Maddocks Meredith Penry Powell "
        "Prosser Pritchard Trevithick Vaughan",
    ),
    "spanish": (
        "es",
        "Alonso Álvaro Andrés Arturo Baltasar Benito Bernardo Claudio Damián Diego Emilio Esteban "
        "Fabián Gerardo Germán Gonzalo Hernán Ignacio Íñigo Javier Joaquín Julián Leandro Lorenzo "
        "Marcos Matías Nicanor Octavio Óscar Pascual Ramiro Raimundo Rodrigo Rubén Santiago Tomás "
        "Ulises Vicente Xavier",
        "Adela Alejandra Amparo Beatriz Blanca Carmen Catalina Consuelo Dolores Elvira Esperanza "
        "Eugenia Gabriela Guadalupe Inés Irene Isabel Jimena Josefina Leonor Lucía Magdalena "
        "Marisol Mercedes Natalia Pilar Rocío Rosario Soledad Teresa Verónica Violeta Ximena",
        "Acosta Aguirre Alarcón Arriaga Barrientos Beltrán Bustamante Cabrera Carvajal Cifuentes "
        "Córdova Delgadillo Echeverría Escobedo Figueroa Galindo Gallardo Guzmán Ibáñez Izquierdo "
        "Larrañaga Ledesma Lizárraga Maldonado Mondragón Montalvo Navarrete Olmedo Orozco Pacheco "
        "Peñaloza Quiroga Quiñones Rentería Robledo Saldívar Sepúlveda Tejada Urrutia Valdés Velarde "
        "Villalobos Yáñez Zaldívar Zúñiga Huamán Mamani Condori Quispe de_la_Vega de_los_Ríos del_Campo",
    ),
    "portuguese": (
        "pt",
        "Afonso Álvaro Artur Baltazar Bento Caetano Cristóvão Davi Duarte Edson Eurico Fabrício "
        "Gaspar Gilberto Henrique Inácio Jaime João Leandro Luís Martim Nélson Nuno Otávio Rui "
        "Sebastião Tadeu Tiago Vasco Wagner Zeferino",
        "Adriana Amália Beatriz Benedita Carolina Cecília Conceição Daniela Eduarda Fátima Filomena "
        "Graça Helena Iracema Joana Lurdes Luzia Mafalda Marília Matilde Quitéria Raquel Rosa Teresinha",
        "Abrantes Alcântara Azevedo Barbosa Bragança Cardoso Carneiro Cavaco Coelho Drummond Esteves "
        "Faria Figueiredo Freitas Guimarães Lacerda Leitão Magalhães Meireles Nogueira Pacheco Peixoto "
        "Pimentel Queirós Ramalho Sampaio Siqueira Taveira Teixeira Valadares Vieira Vilela Xavier",
    ),
    "french": (
        "west",
        "Achille Adrien Alexis Antoine Armand Aurélien Bastien Benoît Cédric Clément Damien Didier "
        "Émile Étienne Fabien Gaspard Gauthier Gérard Gilles Guillaume Hervé Hugues Jean-Baptiste "
        "Jean-Luc Jérôme Julien Laurent Léon Loïc Lucien Marcel Mathieu Maxime Olivier Pascal "
        "Pierre-Yves Quentin Rémi Sylvain Théo Thierry Xavier Yannick Yves",
        "Adèle Agathe Amélie Anne-Sophie Bérénice Blandine Camille Cécile Chantal Claire Clémence "
        "Delphine Édith Élodie Françoise Geneviève Hélène Hortense Isabelle Jeanne Joséphine Juliette "
        "Léa Margaux Marie-Claude Mathilde Mireille Océane Odile Pauline Sandrine Solange Sylvie Véronique",
        "Aubert Barbier Baudry Beaumont Besson Bonnet Boucher Carpentier Chevalier Courtois Delacroix "
        "Delorme Desjardins Dubreuil Faucher Fontaine Gaillard Garnier Gauthier Giraud Lachance Lacombe "
        "Lagarde-Morin Lavallée Leclercq Lefèvre Lemaître Marchand Mercier Montreuil Noël Pelletier "
        "Périer Poirier Renaud Rousseau Sauvage Tessier Thibault Vasseur Villeneuve de_Montfort "
        "de_la_Tour du_Plessis d'Aubigny",
    ),
    "german": (
        "west",
        "Albrecht Anselm Arne Benedikt Bernd Burkhard Clemens Detlef Dietmar Eberhard Eckart Egon "
        "Erwin Ferdinand Friedrich Georg Gernot Gottfried Günther Hannes Hartmut Heinrich Helmut "
        "Holger Ingo Jörg Jürgen Karl-Heinz Klaus-Peter Konrad Lothar Ludwig Manfred Matthias Norbert "
        "Otto Rainer Reinhard Rüdiger Siegfried Stefan Thilo Ulrich Uwe Volker Wilhelm Wolfgang",
        "Adelheid Anneliese Annette Astrid Barbara Birgit Brigitte Christa Cornelia Dagmar Elfriede "
        "Elke Friederike Gabriele Gerda Gisela Hannelore Heike Hildegard Ilse Ingrid Jutta Karin "
        "Katharina Lieselotte Mechthild Monika Renate Sabine Sieglinde Susanne Ursula Ute Waltraud",
        "Achterberg Baumgartner Bergmann Brandt Brückner Dornbach Ehrlich Eichhorn Falkenstein Feldmann "
        "Fuchs Gerlach Grünewald Haberland Hartwig Heidenreich Hoffmann Jäger Kaltenbrunn Kessler "
        "Klingenberg Köhler Kröger Lindemann Löwenthal Mühlhausen Neumann Oberländer Pfeiffer Reinhardt "
        "Rosenbaum Sauerbier Schäfer Schönfeld Steinbach Stübing Trautmann Uhlmann Vogelsang Wagenknecht-Roth "
        "Weidenfeld Wittgenau Zeller Zimmermann von_Arnsberg von_der_Heyde zu_Hohenfels",
    ),
    "dutch": (
        "west",
        "Adriaan Bart Casper Cornelis Diederik Evert Frans Geert Gijs Hendrik Jaap Jeroen Joost Kees "
        "Klaas Laurens Maarten Niels Pieter Ruben Sander Sjoerd Teun Thijs Wim Wouter",
        "Aafke Annelies Betje Carlijn Cornelia Dieuwke Els Femke Geertje Hanneke Ineke Jacoba Liesbeth "
        "Maaike Marijke Neeltje Petra Saskia Sjaan Tineke Wilhelmina",
        "Bakker-Smit Blankenburg Boersma Brouwer Dijkstra Hoekstra Jansma Kuipers Meijer Mulder "
        "Noordhoek Postma Schipper Terpstra Tuinstra Veenstra Visser Vos Wiersma Zijlstra van_Dam "
        "van_den_Berg van_der_Meer van_der_Velde van_Houten van_Rijswijk de_Boer de_Graaf de_Wit "
        "ten_Brink ter_Horst op_den_Kamp",
    ),
    "nordic": (
        "west",
        "Anders Arvid Asbjørn Axel Birger Bjørn Einar Emil Erik Fredrik Gunnar Håkon Halvard Henrik "
        "Ingvar Jens Jørgen Kjell Knut Lars-Erik Leif Magnus Nils Odd Olav Øystein Per Ragnar Rune "
        "Sigurd Sten Svein Sören Tore Torbjörn Ulf Vidar",
        "Agneta Annika Åse Astrid Birgitta Bodil Britt Dagny Ebba Elin Frida Gro Gunhild Hedda Helga "
        "Inga Ingeborg Kari Kirsten Lena Linnea Liv Marit Mette Pernille Ragnhild Sigrid Siv Solveig "
        "Synnøve Tove Ulrika Unni",
        "Aalund Abrahamsen Ahlström Bergqvist Bjerke Björklund Brekke Dahlgren Ekström Engdahl Eriksen "
        "Fjeldstad Forsberg Gyllenborg Hagerup Halvorsen Hammarlund Haugland Holmquist Isaksson "
        "Jespersen Kjærgaard Knudsen Lindqvist Lundgaard Mortensen Nygård Nystrand Øverland Østergaard "
        "Rosenkvist Sandström Sjöberg Skarsgaard Söderlund Strømberg Thorvaldsen Torstensson Vinterberg "
        "Åkesson Ødegård",
    ),
    "icelandic": (
        "west",
        "Árni Baldur Bjarni Einar Eyþór Finnur Gísli Hallgrímur Hjalti Jökull Kári Magnús Ólafur Ragnar "
        "Snorri Steingrímur Sveinn Þórður Þorsteinn",
        "Anna Ásdís Birna Brynja Elín Guðrún Hildur Hrafnhildur Ingibjörg Lilja Ragnheiður Sigríður "
        "Steinunn Svava Unnur Vigdís Þórunn",
        "Arnarson Bjarnason Einarsson Gíslason Hallsson Kristjánsson Magnússon Ólafsson Pálsson "
        "Sveinsson Þorgeirsson",
        "Arnardóttir Bjarnadóttir Einarsdóttir Gísladóttir Hallsdóttir Kristjánsdóttir Magnúsdóttir "
        "Ólafsdóttir Pálsdóttir Sveinsdóttir Þorgeirsdóttir",
    ),
    "finnish": (
        "west",
        "Aarne Antti Eero Eino Esko Hannu Heikki Ilkka Jarmo Jussi Kaarlo Kalevi Lauri Martti Matti "
        "Mikko Olavi Onni Paavo Pekka Risto Seppo Tapio Timo Toivo Urho Väinö Veikko",
        "Aino Aila Anneli Eeva Elina Hanna Helmi Hilkka Irja Kaarina Kaisa Kirsti Leena Liisa Maija "
        "Marjatta Mirja Päivi Pirkko Raija Riitta Saara Satu Sirpa Tarja-Liisa Tuula Tuuli Ulla Vappu",
        "Aaltonen Ahonen Hämäläinen Heikkinen Hietala Järvinen Karjalainen Kärkkäinen Kettunen "
        "Koivisto-Laine Korhonen Laaksonen Lehtonen Leppänen Mäkinen Miettinen Nieminen Nurmi Ojala "
        "Peltonen Pitkänen Räsänen Rautio Saarinen Salonen Tikkanen Turunen Väisänen Virtanen Ylönen",
    ),
    "estonian": (
        "west",
        "Aivar Andres Arvo Eerik Hendrik Indrek Jaan Kaarel Kalju Leho Margus Mart Priit Rein Siim "
        "Taavi Tarmo Tõnu Urmas Veljo",
        "Aita Anu Ene Helve Ingrid Kadri Kaja Külli Leelo Liis Maarja Merike Piret Riina Signe Tiina "
        "Triin Ülle Viive",
        "Allik Hermaküla Ilves-Kask Jõgi Kallas-Rebane Kõiv Kukk Laar-Tamm Lepik Luik Mägi Oja Pärn "
        "Põder Raudsepp Saar Sepp Tamm Tätte Vaher Võsu",
    ),
    "lithuanian": (
        "west",
        "Algirdas Andrius Antanas Arūnas Darius Gediminas Jonas Juozas Kęstutis Linas Mindaugas "
        "Petras Povilas Ramūnas Rimantas Tomas Valdas Vytenis Žygimantas",
        "Aistė Aldona Asta Audronė Birutė Daiva Eglė Gintarė Ieva Irena Jolanta Jūratė Laima Lina "
        "Neringa Rasa Rūta Vilija Živilė",
        "Balčiūnas Butkus Jankauskas Kazlauskas Kavaliauskas Mažeika Petrauskas Stankevičius "
        "Urbonas Vaitkus Žukauskas",
        "Balčiūnaitė Butkutė Jankauskienė Kazlauskaitė Kavaliauskienė Mažeikaitė Petrauskaitė "
        "Stankevičienė Urbonaitė Vaitkienė Žukauskaitė",
    ),
    "latvian": (
        "west",
        "Aigars Andris Artis Dainis Edgars Egils Gatis Guntars Imants Ivars Jānis Juris Kārlis Modris "
        "Normunds Oskars Uldis Valdis Ziedonis",
        "Aija Anita Baiba Dace Daiga Evija Ilze Inese Iveta Kristīne Laila Līga Māra Rasma Sandra "
        "Sarmīte Vita Zane",
        "Apinis Bērziņš Dombrovskis-Vilks Eglītis Grīnbergs Jansons Kalniņš Krūmiņš Lācis Liepiņš "
        "Ozols Petersons Priede Rozenbergs Saulītis Straume Vītols Zariņš",
        "Apine Bērziņa Eglīte Grīnberga Jansone Kalniņa Krūmiņa Lāce Liepiņa Ozola Petersone Priede "
        "Rozenberga Saulīte Straume Vītola Zariņa",
    ),
    "polish": (
        "pl",
        "Adam Bogdan Bolesław Cezary Czesław Dariusz Dominik Eugeniusz Grzegorz Henryk Ireneusz Jacek "
        "Janusz Jarosław-Piotr Jerzy Kazimierz Krzysztof Leszek Łukasz Marek Mieczysław Paweł "
        "Przemysław Rafał Ryszard Sławomir Stanisław Tadeusz Tomasz Wacław Wiesław Witold Zbigniew Zygmunt",
        "Agnieszka Aldona Aleksandra Barbara Bożena Danuta Dorota Elżbieta Grażyna Halina Hanna Irena "
        "Izabela Jadwiga Joanna Katarzyna Krystyna Lucyna Małgorzata Maria Renata Teresa Urszula Wanda Zofia",
        "Adamczyk Bielecki Chmielewski Czarnecki Dąbrowski Gajewski Głowacki Jabłoński Jaworski "
        "Kaczmarek Kamiński Kowalczyk Kozłowski Krawczyk Lewandowski Malinowski Mazur Nowakowski "
        "Olszewski Pawlak Rogowski Rutkowski Sienicki Sobczak Szymański Wiśniewski Wójcik Zieliński Żak",
    ),
    "czech": (
        "cz",
        "Bedřich Bohumil Bořivoj Dalibor František Ivo Jakub Jaromír Jaroslav Jindřich Karel Kryštof "
        "Ladislav Libor Lubomír Luděk Martin Miroslav Oldřich Ondřej Pavel Přemysl Radek Stanislav "
        "Štěpán Václav Vítězslav Vojtěch Zdeněk",
        "Alena Blanka Božena Dana Drahomíra Eliška Hana Ivana Jana Jarmila Jiřina Kateřina Květa "
        "Lenka Ludmila Marie Milena Naděžda Petra Renáta Růžena Šárka Tereza Vlasta Zdenka Zuzana",
        "Beneš Bílek Blažek Čapek Černý Doležal Dvořák Fiala Hájek Havlíček Horák Hruška Jelínek "
        "Kadlec Kolář Kopecký Kratochvíl Krejčí Kučera Marek Mareš Navrátil Novotný Pokorný Procházka "
        "Růžička Šimek Špaček Šťastný Svoboda Tichý Urban Veselý Vondra Zelenka",
    ),
    "russian": (
        "ru",
        "Anatoly Andrei Arkady Artyom Boris Denis Eduard Fyodor Gennady Georgy Grigory Igor Ivan Kirill "
        "Konstantin Leonid Maksim Nikita Nikolai Oleg Pavel Pyotr Roman Ruslan Semyon Stanislav "
        "Timofei Vadim Valery Vasily Viktor Vyacheslav Yaroslav Yegor Yevgeny Yuri",
        "Alevtina Anastasia Antonina Darya Ekaterina Elvira Faina Galina Inna Kira Larisa Lidia "
        "Lyudmila Margarita Marina Nadezhda Natalya Nina Oksana Olga Polina Raisa Svetlana Tamara "
        "Tatiana Valentina Vera Yelena Yulia Zinaida Zoya",
        "Abramov Antipov Belov Bogdanov Bykov Chernov Dorokhov Drozdov Fomin Frolov Galkin Golubev "
        "Gorbunov Ignatov Kalugin Karpov Kolesnikov Komarov Korolyov Kovalev Lapin Lebedev Loginov "
        "Makarov Mironov Morozov Nazarov Nikitin Orekhov Osipov Panin Platonov Rodionov Ryabov Samoilov "
        "Savin Shubin Sobolev Sokolov Tarasov Terekhov Ushakov Vinogradov Volkov Voronin Yershov Zhukov Zimin",
    ),
    "ukrainian": (
        "west",
        "Andriy Bohdan Danylo Dmytro Hryhoriy Ihor Ivan Kostiantyn Maksym Mykhailo Mykola Oleh Oleksandr "
        "Orest Ostap Pavlo Roman Serhiy Stepan Taras Vasyl Viktor Vitaliy Yaroslav Yuriy",
        "Alla Halyna Hanna Iryna Kateryna Khrystyna Larysa Lesia Liudmyla Mariya Nadiya Nataliya Oksana "
        "Olena Olha Solomiya Svitlana Tetiana Yevheniya Zoriana",
        "Bondarenko Boyko Chornovil-Hrim Danylenko Didenko Fedorchuk Havrylenko Hnatiuk Ivanchuk "
        "Kharchenko Koval Kovalchuk Kravchuk-Lys Kuzmenko Lysenko Marchenko Melnyk Moroz Oliynyk Onyshchuk "
        "Panchenko Petrenko Polishchuk Ponomarenko Romaniuk Rudenko Savchuk Shevchuk Stelmakh Tkachenko "
        "Vovk Yurchenko Zinchenko",
    ),
    "balkan": (
        "west",
        "Bogdan Boško Branimir Davor Dejan Dragan Dražen Dušan Goran Gordan Hrvoje Igor Ivica-Mato Jovan "
        "Josip Krešimir Luka Ljubomir Marko Milan Miodrag Mirko Nebojša Nenad Petar Predrag Radovan Saša "
        "Slavko Slobodan Srđan Stjepan Tihomir Uroš Vedran Veselin Vuk Zdravko Željko Zvonimir",
        "Biljana Bojana Branka Danica Desanka Dragana Dubravka Gordana Ivana Jadranka Jasna Jelena "
        "Ksenija Ljiljana Marija Mirjana Nada Nevena Olivera Ružica Sanja Slavica Snežana Sonja Tatjana "
        "Vesna Višnja Zorica Željka",
        "Antić Babić Blagojević Bogdanović Božović Bulatović Čolić Ćirić Dragić Đorđević Filipović "
        "Gavrilović Golubović Horvat Ilić Jakovljević Janković Jurić Katić Knežević Kolar Kovačević Krleža-Ban "
        "Lazić Lončar Lukić Mandić Marinković Matić Milošević-Rak Novak Obradović Perić Petrović Popović "
        "Radić Savić Šimić Stanković Stojanović Tomašević Turk Vasić Vidmar Vuković Zupan Živković",
    ),
    "bulgarian": (
        "ru",
        "Asen Atanas Blagoy Bozhidar Chavdar Dimitar Emanuil Evgeni Hristo Iliya Kaloyan Kiril "
        "Krasimir Lyuben Mihail Nayden Ognyan Petko Plamen Simeon Stefan Stoyan Todor Tsvetan Ventsislav Yordan",
        "Albena Anelia Boryana Denitsa Desislava Elitsa Gergana Iskra Kalina Magdalena Mariana Milena "
        "Nadezhda Neli Radka Rositsa Snezhana Stanka Tsveta Vanya Yana Zlatka",
        "Angelov Apostolov Bonev Boyadzhiev Dimitrov Dobrev Donchev Genov Georgiev Hadzhiev Kolev "
        "Kostov Marinov Minchev Nedelchev Panayotov Popov Rangelov Rusev Slavov Stanchev Todorov "
        "Tsonev Valchev Vasilev Yanev Zahariev Zhelev-Iliev",
    ),
    "romanian": (
        "west",
        "Adrian Alexandru Bogdan Călin Cătălin Constantin Corneliu Cristian Doru Dumitru Emil Eugen "
        "Florin Gheorghe Horia Ilie Ion Iulian Laurențiu Liviu Marius Mihnea Mircea Nicolae Octavian "
        "Petru Radu Răzvan Ștefan Teodor Tiberiu Toma Valeriu Vasile Vlad",
        "Adina Alina Ana-Maria Anca Aurelia Camelia Carmen Cristina Dana Doina Elena Florica Gabriela "
        "Ileana Ioana Irina Lavinia Liliana Luminița Mădălina Mihaela Monica Oana Raluca Rodica Simona "
        "Smaranda Sorina Zoe",
        "Albu Anghel Antonescu-Pop Balan Bălășescu Bărbulescu Botezatu Bratu Călinescu Ciobanu Codreanu-Lupu "
        "Cojocaru Constantinescu-Rusu Diaconu Dobrescu Dragomir Enache Florea Ghica Grigorescu Ionescu "
        "Lungulescu Manole Marinescu Mocanu Moldovan Munteanu Negrescu Oprea Pădurar Petrescu Rădulescu "
        "Sava Stănescu Șerban Teodorescu Ungureanu-Dinu Văcărescu Vlaicu Zamfir",
    ),
    "hungarian": (
        "west",
        "Ádám András Árpád Attila Balázs Béla Bence Csaba Dániel Dezső Ervin Ferenc Gábor Gergely Géza "
        "György Imre István József Kálmán Károly Lajos László Lőrinc Mátyás Miklós Pál Sándor Szabolcs "
        "Tamás Tibor Zoltán Zsolt",
        "Ágnes Anikó Boglárka Borbála Csilla Dorottya Edit Emese Erzsébet Eszter Etelka Gizella Gyöngyi "
        "Hajnalka Ibolya Ildikó Ilona Judit Katalin Klára Krisztina Magdolna Márta Noémi Orsolya Piroska "
        "Réka Sarolta Zsófia Zsuzsanna",
        "Andrássy-Tóth Balogh Barta Bartók-Nagy Bíró Bodnár Csonka Deák Dobos Erdélyi Farkas Fehér Fekete "
        "Fodor Gulyás Halász Hegedűs Horváth Illés Juhász Katona Kelemen Kerekes Király Kocsis Kovács "
        "Lukács Magyar Mészáros Molnár Németh Orosz Pásztor Pintér Rácz Sándor Simon Sipos Somogyi Szabó "
        "Szalai Szekeres Takács Török Vadász Varga Vass Vörös Zsoldos",
    ),
    "greek": (
        "west",
        "Achilleas Andreas Apostolos Athanasios Christos Dimitris Efthymios Evangelos Fotis Giannis "
        "Grigoris Ioannis Konstantinos Kyriakos-Petros Leonidas Lefteris Manolis Michalis Nikiforos "
        "Panagiotis Pavlos Petros Sotiris Spyridon Stavros Stelios Thanasis Theodoros Vasilis Vangelis",
        "Aikaterini Anna Anthi Argyro Aspasia Despina Dimitra Efthymia Eirini Eleni Eleftheria Evangelia "
        "Fotini Georgia Ioanna Kalliopi Katerina Kyriaki Maria Marina Melina Olympia Paraskevi Sofia "
        "Stamatia Stavroula Theodora Vasiliki Zoi",
        "Alexandrou Anagnostou Antoniadis Apostolidis Arvanitis Chatzidakis Christodoulou Dimitriadis "
        "Economou Fotiadis Galanis Georgiadis Ioannou Kalogeropoulos Karagiannis Kazantzis Kontos "
        "Kostopoulos Lambrakis Makris Markopoulos Nikolaidis Oikonomidis Panagopoulos Papadakis "
        "Papageorgiou Petridis Rigas Sarantakis Stamatopoulos Theodorakis Tsolakis Vlachos Xenakis Zografos",
    ),
    "albanian": (
        "west",
        "Agim Arben Artan Bardhyl Besim Besnik Dritan Enver-Luan Fatmir Fatos Genc Gezim Kastriot Kujtim "
        "Luan Lulzim Myftar Naim Petrit Sokol Shkëlqim Skënder Valon Visar Ylli",
        "Albana Arta Besa Blerta Diana Drita Elira Entela Erjona Fatbardha Flutura Jeta Lindita Luljeta "
        "Majlinda Mimoza Shpresa Teuta Valbona Vjosa Zana",
        "Alia-Gjoka Bardhi Basha-Kola Bejko Berisha-Dema Çela Dervishi Dushku Elezi Frashëri Gashi Gjonaj "
        "Hasani Hoti Hoxhaj Kadiu Kastrati Krasniqi Leka Mehmeti Ndoja Osmani-Vata Përmeti Prifti Shala "
        "Shehu Toptani Vrioni Xhafa Zogaj",
    ),
    "italian": (
        "west",
        "Alberto Aldo Alessio Angelo Antonio Beniamino Bruno Carlo Cesare Claudio Corrado Dario Davide "
        "Domenico Edoardo Enrico Ernesto Fabio Federico Filippo Franco Gabriele Gianluca Giacomo Gino "
        "Giorgio Giovanni Leonardo Lorenzo Luca Luigi Marcello Michele Ottavio Piero Raffaele Renzo "
        "Riccardo Rocco Salvatore Silvano Tommaso Umberto Vincenzo",
        "Alessandra Anna Antonella Beatrice Bianca Carla Caterina Chiara Clara Cristina Donatella "
        "Elena Elisabetta Federica Francesca Giovanna Giulia Graziella Ilaria Laura Letizia Loredana "
        "Lucia Margherita Mariangela Mirella Ornella Paola Patrizia Raffaella Rosanna Silvia Valeria",
        "Abbate Albertini Amadori Baldini Barbieri Bellandi Benedetti Bertolucci-Sala Bianchi Borghese "
        "Cattaneo Cavallini Colombo Contarini D'Angelo De_Santis Della_Rovere Di_Lorenzo Esposito Fabbri "
        "Ferrara Galli Gentile Grimaldi Lombardi Mancini Marchetti Martinelli Montanari Moretti Olivieri "
        "Orsini Pagano Palumbo Parisi Pellegrino Rinaldi Romano Santoro Serafini Tedesco Torricelli "
        "Valentini Vitale Zanetti",
    ),
    "turkish": (
        "west",
        "Ahmet Alper Arif Aydın Barış Burak Cemal Cengiz Doğan Emre Ercan Erol Ferit Fikret Gökhan "
        "Hakan Halil Hüseyin İbrahim İlker İsmail Kadir Kemal Kerem Levent Mehmet Metin Murat Mustafa "
        "Necati Okan Orhan Osman Ömer Rıza Selim Serkan Sinan Süleyman Tarık Tuncay Uğur Volkan Yavuz Yusuf",
        "Ayla Aylin Ayşe Belgin Canan Defne Derya Dilek Ebru Elif Emine Esra Fatma Feride Filiz Gönül "
        "Gülay Gülşen Hatice Hülya Leyla Meral Meryem Nazlı Nesrin Nilüfer Nurhan Özlem Pınar Seda "
        "Selma Sevgi Songül Şebnem Tülay Yasemin Zehra",
        "Acar Akın Aksoy Altınay Arslan Aydemir Bayraktar Bilgin Bozkurt Bulut Çakır Çelik Çetinkaya "
        "Demirel-Kaya Doğanay Duman Ekinci Erdem Güler-Şen Güneş Gürsoy Işık Kahraman Kaplan Karaca "
        "Karadeniz Kılıç Koçak Korkmaz Köse Kurt Öztürk Özdemir Polat Sarı Şahin Şimşek Taş Tekin Toprak "
        "Tunç Turan Uçar Ulusoy Ünal Yalçın Yavuz Yıldırım Yılmaz Yüksel",
    ),
    "azeri": (
        "ru",
        "Anar Azad Bakhtiyar Elchin Eldar Elnur Emin Farid Fuad-Rza Habib Heydar Isa Kamran Mubariz Namiq "
        "Natig Nizami Orkhan Ramil Rashad Rauf Rovshan Samir Shahin Tahir Tofiq Vagif Vugar Zaur",
        "Afaq Aida Arzu Aygun Aynur Fidan Gulnara Gunel Kamala Lala Leyla Mehriban-Nur Nargiz Nigar Rena "
        "Sevda Sevil Shahla Ulviyya Zulfiya",
        "Abbasov Agayev Asgarov Babayev Bayramov Gasimov Guliyev Hajiyev Huseynov Ibrahimov Ismayilov "
        "Jafarov Kazimov Mirzayev Mustafayev Nabiyev Novruzov Orujov Rzayev Safarov Taghiyev Valiyev Yusifov",
    ),
    "central_asian": (
        "ru",
        "Aibek Askar Azamat Baurzhan Bolat Daniyar Davron Dilshod Erlan Farkhod Galym Ilkhom Jasur "
        "Kairat Kanat Marat Mirzo Nurlan Otabek Rustam Sanzhar Serik Shavkat-Umid Sherzod Talgat Timur "
        "Tokhtar Ulugbek Umid Yerzhan Zafar",
        "Aigul Ainura Aliya Asel Aziza Baktygul Dilbar Dinara Feruza Gulnora Gulsara Jamila Kamila "
        "Lola Malika Meerim Nargiza Nilufar Saltanat Saule Shahnoza Tamara Zarina Zhanar Zukhra",
        "Abdrakhmanov Abdullaev Akhmetov Alimov Baimenov Bekmuratov Dosmukhamedov Ergashev Iskakov "
        "Ismoilov Kadyrov Karimov-Sobir Kasenov Mamyrov Mukanov Niyazov-Bek Nurmagambetov Rakhmatov "
        "Sadykov Saidov Satpayev Sultanov Suleimenov Tashmukhamedov Toktogulov Tulegenov Turdiev "
        "Usmanov Yuldashev Zhaksybekov",
    ),
    "georgian": (
        "west",
        "Akaki Archil Avtandil Bachana Badri Besik Dato Davit Gela Giga Givi Guram Iakob Ilia Ioseb "
        "Jaba Kakha Koba Lasha Levan Luka Malkhaz Merab Nika Nodar Otar Paata Revaz Shalva Shota Tamaz "
        "Temur Vakhtang Zaza Zurab",
        "Ana Ani Eka Eteri Inga Irma Ketevan Khatuna Lali Lamara Lela Lia Maia Maka Manana Mariam Marina "
        "Medea Nana Nani Natela Nato Nestan Nino Rusudan Shorena Sopio Tamar Tea Teona Tinatin",
        "Abashidze Beridze Chavchavadze Chikovani Dadiani Datuashvili Eristavi Gelashvili Gogoladze "
        "Gvaramia Japaridze Jorjadze Kakabadze Kapanadze Khutsishvili Kiknadze Kobakhia Lomidze "
        "Machavariani Maisuradze Mchedlishvili Meskhi Mgeladze Nadiradze Orbeliani Rukhadze Tabidze "
        "Tsereteli Tskhadadze Tsiklauri Vashadze Zhvania-Laba",
    ),
    "armenian": (
        "west",
        "Aram Ararat Arshak Artak Ashot Avetik Bagrat Davit Gagik Garegin Gevorg Gor Hakob Hayk "
        "Hovhannes Hrant Karo Khachatur Levon Mher Mikayel Narek Norayr Ruben Samvel Sargis Smbat Tigran "
        "Vahan Vardan Vazgen Vigen Zaven",
        "Anahit Ani Anush Araksi Arev Arpine Astghik Gayane Gohar Hasmik Heghine Hripsime Knarik Lilit "
        "Lusine Mane Margarit Mariam Meline Nare Narine Nune Nvard Ruzan Satenik Shushan Siranush Sona "
        "Tatevik Varduhi Zaruhi",
        "Aghajanyan Amatuni Arakelyan Avetisyan Babayan Baghdasaryan Danielyan Davtyan Galstyan Gasparyan "
        "Ghazaryan Grigoryan Hakobyan Harutyunyan Hovsepyan Israyelyan Khachatryan Kirakosyan Manukyan "
        "Margaryan-Ter Melkonyan Minasyan Mkrtchyan Muradyan Nersisyan Petrosyan Sahakyan Simonyan "
        "Stepanyan Tovmasyan Tumanyan Vardanyan Voskanyan Yeghiazaryan Zakaryan",
    ),
    "hebrew": (
        "west",
        "Amir Amnon Ariel Asaf Avi Avraham Baruch Boaz Doron Dov Eitan Elad Eliezer Gadi Gideon Haim "
        "Ilan Itai Meir Menachem Moshe Nadav Noam Ofer Oren Reuven Ronen Shaul Shimon Shlomo Tzvi Uri "
        "Yaakov Yair Yehuda Yigal Yitzhak Yoav Yonatan Yuval Zeev",
        "Adina Anat Ayelet Batya Dafna Dalia Devora Dina Edna Einat Galit Hadas Hila Inbal Keren Liat "
        "Limor Michal Miriam Naama Nava Noa Ofra Orly Ronit Ruth Sarit Shira Shoshana Sigal Tamar "
        "Tzipora Yael Yehudit Zehava",
        "Abramson Alon-Paz Amrani Azoulay Bar-Lev Bar-On Ben-Ami Ben-Haim Ben-Shahar Biton Cohen-Tal Dagan "
        "Elbaz Eshel-Dror Feldstein Friedler Gabay Goldfarb Harel Kaplinsky Katzir Landau Lavie Levanon "
        "Malka Mizrahi Nachmani Ohana Peled Rosenfeld Sasson Shapira Shavit Sofer Tamir Vaknin Yadin Zamir Zuckerman",
    ),
    "arabic": (
        "ar",
        "Abdulaziz Abdullah Abdulrahman Adnan Ahmad Ali Anwar Ashraf Bandar Bilal Faisal Faris Fahd "
        "Fouad Ghassan Habib Hamad Hamdan Hamid Hassan Hisham Hussein Ibrahim Jaber Jamal Kamal Karim "
        "Khalid Khalifa Mahmoud Majid Mansour Marwan Mohammed Mubarak Munir Nabil Nasser Nizar Qasim "
        "Rashid Riad Saif Saleh Salman Sami Saud Sultan Talal Tariq Walid Yousef Zayed Ziad",
        "Aisha Alia Amal Amina Asma Basma Dalal Dina Fadia Farida Fatima Ghada Hala Hanan Hayat Hind "
        "Huda Iman Jamila Khadija Lamia Latifa Layla Lubna Lulwa Maha Maryam Mona Nabila Nadia Najwa "
        "Noura Rania Rasha Reem Salma Samira Sawsan Shaikha Suad Wafa Yasmin Zainab",
        "al-Amri al-Ansari al-Dosari al-Farsi al-Ghamdi al-Hakim al-Hamdani al-Hariri-Zein al-Harthi "
        "al-Hashemi al-Jaziri al-Kabir al-Kindi al-Mahdawi al-Mansoori al-Marri al-Masri al-Nuaimi "
        "al-Obeidi al-Qahtani al-Rawi al-Rumaihi al-Saadi al-Sabbagh al-Shamsi al-Suwaidi al-Tamimi "
        "al-Tijani al-Zahrani Abboud Barakat Benali Bensalem Boudiaf Chaoui Darwish El_Amrani El_Khatib "
        "Fares Ghannam Haddad Hamdi Jaziri Khoury Lahlou Mansouri Mezouar Najjar Nassar Qabbani Rahal "
        "Sabry Shaheen Tlili Zaki Zidane",
    ),
    "persian": (
        "west",
        "Abbas Ahmad Alireza Amir Arash Ardeshir Babak Bahman Bahram Behrouz Bijan Cyrus Dariush "
        "Ebrahim Esmail Farhad Farrokh Gholamreza Hamid Homayoun Hossein Iraj Jafar Jamshid Javad "
        "Kamran Kaveh Kourosh Mahmoud Majid Manouchehr Masoud Mehdi Mehrdad Mohsen Nader Parviz Ramin "
        "Reza Saeed Shahram Siavash Sohrab Zal",
        "Afsaneh Azadeh Bahar Banafsheh Elham Farah Farzaneh Fereshteh Forough Golnar Haleh Homa Jaleh "
        "Laleh Mahnaz Maryam Mina Mitra Narges Nasrin Niloufar Parisa Parvin Pouran Roya Sara Sepideh "
        "Shahrzad Shirin Simin Soraya Yasaman Zahra Ziba",
        "Afshar Ahmadi-Far Akbari Amini Ansari Ardakani Ashtiani Azizi Bagheri Bahrami Daneshvar Ebrahimi "
        "Esfahani Farahani Fard Ghaffari Ghorbani Golestani Hashemian Heydari Jafari Kamali Kashani "
        "Kazemi Kermani Khorasani Mahdavi Mirzaei Moghaddam Mohseni Mokri Naderi Najafi Nikpour Parsa "
        "Pourmand Rahimi Rastegar Rezaei Sadeghi Shirazi Soltani Tabrizi Tavakoli Vaziri Yazdani Zand",
    ),
    "afghan": (
        "west",
        "Abdul_Karim Ahmad_Shah Asadullah Atiqullah Aziz Daud Ehsan Faizullah Farooq Ghulam Habibullah "
        "Hekmat Hamidullah Ismatullah Jamaluddin Mirwais Najibullah Naqib Rahmatullah Sayed Shafiq "
        "Sher_Mohammad Yunus Zabihullah Zalmay",
        "Adela Anahita Deeba Farzana Fawzia Gulalai Homira Khatera Laila Lailuma Mariam Nahid Nilofar "
        "Palwasha Roshan Shakila Shukria Spozhmai Torpekai Wazhma Zarghuna",
        "Achakzai Ahmadzai Alokozai Amarkhel Barakzai Durrani Faizi Ghilzai Hotak Kakar Mangal Mohmand "
        "Noorzai Popal Rasooli Safi Sherzad Stanekzai Tanai Wardak Yusufzai Zadran Zazai",
    ),
    "pakistani": (
        "west",
        "Abid Adeel Ahsan Akbar Asad Asim Bilal Danish Faisal Farhan Ghulam Hamza Haroon Iftikhar Ijaz "
        "Jahangir Javed Kashif Khalid Liaquat Mushtaq Nadeem Naveed Qaiser Rashid Sajjad Salman Shahid "
        "Shaukat Sohail Tahir Tariq Usman Waqar Yasir Zahid Zubair",
        "Abida Asma Ayesha Bushra Fariha Farzana Hina Humaira Kishwar Mahnoor Maliha Mehreen Nasreen "
        "Nighat Nusrat Rabia Rehana Rubina Sadia Samina Shabana Shazia Sughra Tehmina Uzma Zubaida",
        "Abbasi-Rana Afridi Ahmedani Ali_Shah Ansari Awan Baloch Bangash Bhatti Chaudhry Chishti Durrani "
        "Gilani-Noor Gondal Hashmi Jadoon Jafri Janjua Kasuri Khattak Khokhar Kiani Lodhi Malik Mirza Mughal "
        "Niazi-Gul Orakzai Qureshi Rajput Rizvi Sethi Siddiqui Soomro Tareen Warraich Yousafzai Zaidi",
    ),
    "indian": (
        "in",
        "Abhijit Ajay Amitabh Anand Anil Arun Ashok Balwant Bharat Brajesh Chandrakant Deepak Devendra "
        "Dinesh Ganesh Girish Gopal Govind Harish Hemant Jagdish Kailash Kamal Kishore Lalit Mahesh "
        "Manoj Mohan Mukesh Naresh Nitin Prakash Pramod Rajendra Rakesh Ramesh Ravi Sanjay Satish "
        "Shankar Shyam Subhash Sudhir Suresh Tushar Umesh Vijay Vikram Vinod Yashwant",
        "Aarti Anjali Anuradha Aparna Asha Bhavana Chitra Deepa Devika Gayatri Geeta Hema Indira-Rani "
        "Jaya Jyoti Kamala Kavita Lakshmi Lata Leela Madhuri Meena Mira Nalini Neelam Nirmala Padma "
        "Priya Rekha Revathi Rukmini Sarojini Savita Shanta Shobha Sneha Sudha Sujata Sunita Uma Usha "
        "Vasundhara Vidya",
        "Acharya Agarwal Ahluwalia Bajaj Banerjee Basu Bhardwaj Bhattacharya Bose Chatterjee Chauhan "
        "Chopra Das Desai Deshmukh Dey Dutta Gaikwad Ganguly Ghosh Goswami Gupta Iyengar Iyer Jadhav "
        "Jha Joshi Kapoor Kaul Khanna Krishnamurthy Kulkarni Kumar Mahajan Malhotra Mehta Menon Mishra "
        "Mitra Nair Naidu Nambiar Pande Patel Pillai Pradhan Rajan Raghavan Ramachandran Rao Reddy Roy "
        "Saxena Sen Shah Sharma Shetty Shukla Sinha Srinivasan Subramaniam Thakur Tiwari Tripathi Varma "
        "Venkataraman Yadav",
    ),
    "bengali": (
        "west",
        "Abdus Anisur Ashraful Aminul Delwar Enamul Fazlul Habibur Humayun Iqbal Jahangir Kamrul Mahbub "
        "Mizanur Monirul Mosharraf Nazrul Obaidul Rafiqul Rezaul Saiful Shafiqul Shahidul Tofazzal Zahurul",
        "Ayesha Begum Dilara Farzana Fatema Ferdousi Hosne Jahanara Kohinoor Laila Mahfuza Nasima "
        "Nazma Rehana Rokeya Sabina Salma Selina Shamsun Shirin Sufia Taslima Zebunnesa",
        "Ahmed-Khondkar Akhter Alam Bhuiyan Biswas Chowdhury Haque Hossain-Talukder Huq Islam Karim Khatun "
        "Majumder Miah Mollah Mondal Mridha Munshi Patwary Rahman Sarkar Shikder Siddique Sikder Talukdar Uddin",
    ),
    "nepali": (
        "west",
        "Achyut Amrit Arjun Bhim Bikram Bishnu Chandra Dambar Dev Dilip Gagan Gokarna Hari Indra Jeevan "
        "Kedar Khem Lal_Bahadur Lok Madan Narayan Padam Prem Purna Rabindra Rajan Shiva Surya Tek Tulsi",
        "Ambika Bimala Chandrika Dil_Kumari Gita Goma Kalpana Laxmi Maya Menuka Muna Nirmala Parbati "
        "Pabitra Radhika Renu Sabitri Sarita Shanti Sita Tara Yangchen",
        "Adhikari Aryal Bajracharya Basnet Bhandari-Rai Bista Chettri Dahal-Karki Gautam Ghimire Gurung Joshi "
        "Karki Khadka Koirala-Pant Lama Limbu Magar Maharjan Neupane Pandey Pokharel Rana Regmi Rimal Sherpa "
        "Shrestha Subedi Tamang Thapa-Magar Upreti Wangchuk Dorji Namgyal Penjor",
    ),
    "srilankan": (
        "west",
        "Ajith Anura Asanka Chaminda Dayan Dinesh Gamini Harsha Indika Janaka Kapila Karunasena Lakshman "
        "Lalith Nimal Nuwan Priyantha Ruwan Sanath Sarath Sunil Tissa Upali Wasantha Wijeratne",
        "Anoma Chandani Damayanthi Dilhani Hemamali Indrani Kumari Lalani Malini Nadeeka Nilmini Padmini "
        "Ramani Rohini Sandamali Shiranthi-Mala Sujatha Swarna Thilini Vasanthi Yamuna",
        "Abeysekera Amarasinghe Balasuriya Dassanayake Dharmasena Ekanayake Gunaratne Gunawardena Herath "
        "Jayasuriya Jayawardena Karunaratne Kumarasinghe Liyanage Mendis Nanayakkara Perera Rajakaruna "
        "Ranasinghe Ratnayake Samarawickrama Senanayake Seneviratne Tennakoon Weerasinghe Wijesinghe",
    ),
    "chinese": (
        "cn",
        "Bo Chao Dawei Feng Gang Guoqiang Haoran Hongwei Jianguo Jianhua Jun Kaiming Lei Liang Minghao "
        "Peng Qiang Rong Shaoqi-Wen Tao Wei Weimin Xiaodong Xin Yaozong Yichen Yong Yuchen Zemin-Hao "
        "Zhigang Zhiyuan Zhong",
        "Aiping Chunhua Cuiping Fang Guiying Huifang Jiayi Jing Juan Lan Lihua Ling Mei Meiling Min "
        "Na Qian Qing Shufen Shuhui Ting Xia Xiaoling Xiulan Yafang Yan Ying Yue Yuxi Zhen",
        "Bai Cai Cao Chen Cheng Dai Deng Ding Dong Du Fan Fang Feng Fu Gao Gong Gu Guo Han Hao He Hou "
        "Huang Jia Jiang Kang Kong Lei Liang Liao Liu Lu Luo Lü Ma Meng Mo Pan Peng Qian Qiao Qin Qiu Ren "
        "Shao Shen Shi Song Su Sun Tang Tao Tian Tu Wan Wei Wen Xia Xiang Xie Xu Xue Yan Yao Ye Yin Yuan "
        "Zeng Zhao Zheng Zhong Zhou Zhu Zou",
    ),
    "taiwanese": (
        "tw",
        "Chia-hao Chih-ming Chun-hsiung Hsien-tang Jen-chieh Kuo-hua Ming-che Po-wei Shih-kai Tsung-han "
        "Wei-lun Yen-ting Yi-cheng Yung-fa Ka-shing-lok Chi-wai Kwok-keung",
        "Chia-ling Hsiao-mei Hui-chun Li-chuan Mei-chu Pei-shan Shu-fen Shu-hui Wan-ju Ya-ting Yi-chun Yu-hsuan",
        "Chang-Liao Chiang-Wu Chiu Chuang Hsieh Hsu Hung Ko Kuo Lo Su Tsai-Lin Tseng Tung Wu Yeh Yu",
    ),
    "korean": (
        "tw",
        "Byung-chul Chan-wook Dae-jung-ho Dong-hyun Gun-woo Hyun-seok In-ho Jae-sung Jin-woo Jong-min "
        "Joon-ho Jung-hoon Ki-tae Kwang-su Kyung-soo Min-jae Myung-ho Sang-hoon Seung-woo Sung-jin "
        "Tae-yang Won-sik Woo-jin Yong-ho Young-chul",
        "Bo-young Eun-ji Eun-kyung Hae-won Hye-jin Hyun-joo Ji-eun Ji-hye Ji-young Kyung-hee Mi-kyung "
        "Mi-sook Min-ji Myung-sook Na-young Seo-yeon So-yeon Soo-jin Sun-hee Ye-jin Yoon-ah Young-mi Yu-na",
        "Ahn Bae Baek Cha Choi Chung Gong Ha Heo Hong Jang Jeon Jin Jung Kang Koo Kwon Lim Min Nam Noh "
        "Oh Ryu Seo Shim Shin Son Song Sung Woo Yang Yoo Yoon",
    ),
    "japanese": (
        "west",
        "Akihiko Akira Daisuke Eiji Fumio-Ken Goro Haruki Hideo Hiroshi Ichiro Isamu Jiro Kaito Katsuo "
        "Kazuo Kei Kenji Kiyoshi Koichi Makoto Masaru Minoru Mitsuo Noboru Nobuyuki Osamu Ren Ryota "
        "Satoshi Seiji Shigeru Shinji Shota Susumu Tadashi Takashi Takeshi Tatsuya Tetsuya Toru Toshio "
        "Yasuhiro-Jun Yoichi Yoshio Yutaka",
        "Aiko Akemi Asuka Ayako Chieko Chiyo Emiko Etsuko Fumiko Hanako Haruka Hiroko Junko Kaori Kazuko "
        "Keiko Kumiko Mariko Masako-Rin Megumi Michiko-Yu Midori Miyuki Naoko Natsuki Noriko Reiko Sachiko "
        "Sakura Sayuri Setsuko Shizuka Sumire Tomoko Yoko Yoshiko Yukari Yumiko",
        "Aizawa Akiyama Aoki Arai Asano Endo Fujimoto Fujita Fukuhara Goto Hamada Harada Hasegawa "
        "Hayakawa Hirano Honda Horikawa Iida Imai Inoue Ishikawa Iwasaki Kagawa Kaneko Kataoka Kawamura "
        "Kimura Kinoshita Kobayashi Kojima Kubota Kuroda Maeda Matsuda Miyamoto Mizuno Morita Murakami "
        "Nagano Nakagawa Nakamura Nishida Nomura Ogawa Okada Okamoto Onishi Oshima Saito Sakamoto Sasaki "
        "Shimizu Sugiyama Takagi Takeda Tamura Ueda Uchida Wada Watanabe Yamaguchi Yamashita Yokoyama",
    ),
    "vietnamese": (
        "vn",
        "An Bách Bảo Bình Cường Đạt Dũng Duy Hải Hiếu Hòa Hùng Huy Khánh Khoa Kiên Lâm Long Minh Nam "
        "Nghĩa Phong Phúc Quân Sơn Tài Thắng Thành Thịnh Tín Toàn Trí Tuấn Tùng Việt Vinh",
        "Anh Bích Chi Diễm Diệp Dung Giang Hà Hạnh Hiền Hoa Hồng Hương Huyền Khanh Lan Liên Linh Loan "
        "Mai My Nga Ngân Nhung Oanh Phương Quyên Tâm Thảo Thu Thủy Trang Trinh Tuyết Vân Xuân Yến",
        "Bùi Cao Châu Đặng Đào Đinh Đỗ Đoàn Dương Hồ Hoàng Huỳnh La Lê Lương Lý Mạc Mai Ngô Nguyễn "
        "Phạm Phan Phùng Tạ Thái Tôn Trịnh Trương Võ Vũ",
    ),
    "thai": (
        "west",
        "Adisak Amnuay Anan Apichart Arthit Bancha Boonlert Chaiwat Chalerm Chatri Kittisak Kriengsak "
        "Manop Narong Niran Nopparat Pairoj Phichai Pongsak Prasert Prawat Preecha Somboon Somchai "
        "Somkiat Suchart Sukhum Surachai Thawat Thongchai Virat Wichai Yongyut",
        "Achara Apinya Boonsri Busaba Chanida Darunee Duangjai Jintana Kanya Kulap Lamai Malee Mayuree "
        "Naree Nittaya Orapin Patcharee Pensri Pornthip Rattana Sasithorn Siriporn Somsri Sudarat-Lek "
        "Sunisa Supaporn Suwannee Wanida Wilai Yupin",
        "Bunyarat Chaiyasit Chantharangsi Charoensuk Intharat Jaidee Kaewmanee Khamphan Kittikhun "
        "Limsakul Mahasarakham Nakprasit Ngamwong Phanthong Phongphan Promsiri Rattanakosin Ruangrit "
        "Saelim Sangthong Sirikul Srisawat Suksawat Suwanrat Tangtrongsakdi Thepprasit Wattanakul "
        "Wongsakul Yodmani",
    ),
    "burmese": (
        "plain",
        "Aung_Kyi Aung_Thu Ba_Maung Kyaw_Zin Khin_Zaw Maung_Lwin Min_Thant Myo_Naing Nay_Win_Tun "
        "Pyae_Sone Saw_Htet Sein_Lwin Soe_Tun Thant_Zaw Thura_Oo Tin_Ohn Win_Naing_Oo Ye_Lin_Htut Zaw_Min_Tun",
        "Aye_Thida Cho_Cho_Win Ei_Phyu Hla_Hla_Myint Hnin_Wai Khin_May_Thu Mya_Sandi Nan_Khin_Htwe Nilar_Oo "
        "Phyu_Phyu_Thin San_San_Yi Su_Mon Thandar_Moe Thin_Thin_Aye Yin_Yin_Nwe Zin_Mar_Aung",
        "",
    ),
    "indonesian": (
        "id",
        "Agung Agus Ahmad Andi Arief Bambang Basuki-Eko Budi Dedi Djoko Eko Fajar Gatot Hadi Hartono "
        "Hendra Heru Imam Irwan Iwan Joko-Surya Kuntoro Mulyono Nugroho Prabawa Pramono Purnomo Rachmat "
        "Rudi Setiawan Slamet Sudirman Sugeng Suharjo Sulistyo Surya Sutrisno Teguh Tri Untung Wahyu "
        "Widodo-Adi Yanto Yudi",
        "Ani Ayu Citra Dewi Dian Diah Endang Fitri Hesti Indah Kartika Kusuma Lestari Maya Mega-Putri Murni "
        "Ningsih Nur Nurul Puspita Putri Rahayu Ratna Retno Rini Sari Siti Sri Sulastri Tuti Utami Wati "
        "Widya Wulan Yuni",
        "Adiputra Atmadja Darmawan Firmansyah Gunawan Hakim Halim Handoko Hartanto Hidayat Irawan "
        "Kartawijaya Kusnadi Lubis Mangkusubroto Nasution Natsir Notonegoro Pane Pranoto Priyambodo "
        "Ranuwijaya Santoso Saputra Siregar Sitompul Subandrio Suryadi Susilo Sutanto Tanjung Wibisono "
        "Wicaksono Wijaya Wirawan",
    ),
    "malay": (
        "my",
        "Abdul_Rahim Ahmad Aminuddin Azlan Azman Badrul Fauzi Hafiz Hamzah Haris Hishamuddin Idris Ismail "
        "Jamaluddin Kamaruddin Khairul Mahathir-Din Mokhtar Muhriz-Din Nazri Nizam Rahim Rashid Razali Ridzuan "
        "Rosli Salleh Shahrul Syed Tengku_Iskandar Zahid-Amin Zainal Zulkifli",
        "Aminah Azizah Faridah Habibah Haslinda Kalsom Khadijah Latifah Maimunah Mariam Noraini Norhayati "
        "Normah Nurul_Huda Puteri Rohani Rosmawati Salmah Shamsiah Siti_Hajar Zaharah Zaleha Zuraidah",
        "Abdullah-Sani Ariffin Aziz-Salam Baharuddin Daud Ghazali Hamid Hashim Hussein Ibrahim Jaafar Jalil "
        "Kassim Latiff Mansor Mokhtar Osman Othman Rahmat Saad Sulaiman Taib Yahya Yunus Zakaria",
    ),
    "filipino": (
        "west",
        "Alberto Alfonso Amado Antonio Arsenio Benedicto Benjie Crisanto Danilo-Jun Dominador Eduardo "
        "Efren Emmanuel-Rey Ernesto Fidel-Ramon Florencio Honorio Isidro Jejomar-Paul Jovito Leandro "
        "Macario Narciso Nestor Pacifico Ramon Reynaldo Roberto Rogelio Romulo Ronaldo Teodoro-Luis Virgilio",
        "Aurora Corazon-Luz Cynthia Dalisay Divina Erlinda Estrella Imelda-Rose Jocelyn Lourdes Ligaya "
        "Luzviminda Maricel Marilou Milagros Nenita Perla Remedios Rosalinda Rowena Teresita Trinidad Victoria",
        "Abad Agbayani Alcala Bacani Balagtas Batungbakal Bautista Bayani Bonifacio-Reyes Catacutan Cojuangco-Lim "
        "Dalisay Dimaculangan Dizon Evangelista Gatchalian Guinto Javellana Lacson-Uy Laurel-Tan Lualhati "
        "Macapagal-Sy Macaraeg Magsaysay-Go Magtanggol Manalo Mangubat Ocampo Panganiban Pangilinan Punongbayan "
        "Salonga Sumulong Tagle Tolentino Tuazon Yulo Zamora",
    ),
    "pacific": (
        "west",
        "Afioga-Tia Aisea Apenera Eneliko Epeli Faleolo Filimone Fuimaono Ioane Isikeli Josefa Kamisese-Ro "
        "Kaliopate Laisenia-Ratu Lopeti Maciu Mosese Naisa Penaia Peni Pita Ratu_Jone Sakiusa Semi "
        "Sione Siaosi-Ata Tavita Tevita Tomasi Tuiloma Viliame Waisale Kereti Rangi Wiremu Hemi Tamati",
        "Adi_Litia Akanisi Ana_Lupe Asenaca Elenoa Fetu Filifili Leilani Losaline Lupe Mele Merewalesi Moana "
        "Nanise Ofa Salote-Ana Sera Silika Sinalei Sosefina Tavake Teuila Titilia Vaiola Hinemoa Ngaire Aroha",
        "Aiono Alofaifo Baledrokadroka Cakobau-Tora Faleafa Fonua Fotuaika Havili Kaufusi Latu Leavasa "
        "Lilomaiava Maka'afu Matagi Moala Naivalu Nawaqavou Pohiva-Tai Qalo Ravuvu Savea Seumanutafa "
        "Taliaoa Tamapua Taufa Toganivalu Tuilagi Tu'ipulotu Vakatale Veikoso Vunivalu Parata Ngata-Moe "
        "Te_Kanawa-Rua Waititi-Poe",
    ),
    "melanesian": (
        "west",
        "Allan Ambrose Bernard Charlot-Noel Clement Donald-Kuri Ezekiel Francis Gideon Harry Jimmy-Sam Job "
        "Joses Koloa Mathew Moffat Nathaniel Nelson Paias Philemon Ruben Sato-Ham Silas Steven Walter Willie",
        "Agnes Anita Dorcas Delilah Esther Freda Hilda Josephine Lima Loujaya Margaret Naomi Rachel Rhoda "
        "Ruth Sarah Serah Tessie Veronica",
        "Abel-Tari Aiyo Fono Kabui-Lae Kalo Kapavai Kaumba Kemakeza-Sir Kilepak Kitchawen Lini-Garu Maelanga "
        "Molisale Natapei-Wia Nokia Pakoa Regenvanu Sope-Kal Tahi Tapangararua Tausinga Temar Ulufa'alu-Oti "
        "Waena Wingti-Ka Yama",
    ),
    "nigerian": (
        "west",
        "Abiodun Abubakar-Sani Adebayo Adekunle Ademola Aliyu Ayodele Babatunde Bolaji Chidi Chinedu "
        "Chukwuemeka Emeka Folarin Garba Gbenga Ibrahim Ifeanyi Ikechukwu Kayode Kelechi Musa Nnamdi "
        "Obinna Okechukwu Olusegun-Femi Oluwaseun Rotimi Sani Segun Tunde Uche Umaru-Bala Usman Yakubu-Ola",
        "Abimbola Adaeze Adanna Amaka Aminatu Bolanle Bukola Chiamaka Chioma Ebele Folasade Funmilayo "
        "Hadiza Halima Ifeoma Ijeoma Iyabo Kehinde Ngozi Nkechi Obioma Olufunke Omolara Oluwakemi "
        "Rakiya Sade Temitope Titilayo Uju Yetunde Zainab",
        "Abiola-Cole Achebe-Nwa Adeleke Adeniji Adeyemi Afolabi Ajayi Akande Akinola Akinwande Aliu Amadi "
        "Bakare Balogun Chukwu Dangote-Bello Danjuma Ekwueme-Ike Eze Fashola-Ade Igwe Iwu Kalu Lawal Mbah "
        "Mohammed-Kano Njoku Nwachukwu Nwosu Obi Odili Odukoya Ogunbanjo Ojo Okafor Okeke Okonkwo Okoro "
        "Oladipo Olaniyan Onyekachi Oyelaran Salami Shagaya Soludo-Eke Tambuwal-Gida Udoh Umeh Uzoma Yusuf",
    ),
    "ghanaian": (
        "west",
        "Akwasi Ato Ebo Ekow Kofi Kojo Kwabena Kwadwo Kwaku Kwame Kwasi Kwesi Nii Osei Papa Yaw Fiifi "
        "Kodjo Komlan Edem Selorm",
        "Abena Adwoa Afia Afua Akosua Akua Ama Araba Efua Ekua Esi Maame Naa Adjoa Yaa Dzifa Sena",
        "Abankwa Acheampong-Fosu Adjei Adomako Agyeman Akoto Ampofo Amoako Ankrah-Tetteh Annan-Quaye Ansah "
        "Appiah Asamoah Asante Baffour Boadu Boakye Boateng Bonsu Danquah-Ofori Darko Donkor Frimpong "
        "Gyamfi Kwarteng Mensah Nyarko Oduro Ofori Opoku Osei-Bonsu Owusu Quaye Quartey Sarpong Tetteh "
        "Agbenyega Amegah Dogbe Kpodo",
    ),
    "sahel": (
        "west",
        "Abdou Abdoulaye Alassane-Ba Aliou Alioune Amadou-Lamine Bakary Boubacar Cheikh Demba Djibril "
        "Drissa El_Hadj Fodé Gorgui Idrissa Issa Kalifa Lamine Mamadou Modibo-Sy Moctar Mory Moussa Oumar "
        "Ousmane Pathé Samba Seydou Sidi Souleymane Tidiane Yaya Youssouf Zakaria",
        "Adama Aïssata Aïcha Aminata Assétou Awa Binta Bineta Coumba Djénéba Fanta Fatou Fatoumata "
        "Hadja Hawa Kadiatou Khady Mariama Mariétou Maïmouna Nafissatou Oumou Rama Ramata Rokia Salimata "
        "Sira Sokhna Yacine",
        "Ba Bagayoko Bah Balde Barry Camara Cissé Cissokho Dembélé Dia Diabaté Diagne Diakité Diallo "
        "Diarra Diatta Dicko Dieng Diop Diouf-Sarr Doumbia Drame Faye Gueye Kaba Kamara Kanté Konaté Koné "
        "Kouyaté Maïga-Sow Mbaye Mbodj Ndao Ndiaye Ndour Niang Sagna Sané Sangaré Sanogo Sarr Savadogo "
        "Sawadogo Seck Sidibé Sissoko Sow Sy Sylla Tall Thiam Togola Touré Traoré Wade-Kane Yattara Zongo",
    ),
    "central_african": (
        "west",
        "Alphonse Anicet Appolinaire Aubin Barthélemy Blaise-Roger Célestin Clotaire Dieudonné Elie "
        "Emery Evariste-Luc Félicien Fulgence Gaétan Godefroid Hilaire Jean-Bosco Jean-Claude Justin "
        "Léonard Marcellin Médard Modeste Narcisse Parfait Prosper Séraphin Théophile Thomas Urbain Vital Zacharie",
        "Adélaïde Alphonsine Béatrice Bernadette Chantal Clarisse Colette Donatille Espérance Eugénie "
        "Euphrasie Félicité Godelieve Honorine Immaculée Jacqueline Léocadie Marie-Louise Odette Perpétue "
        "Rosalie Séraphine Thérèse Véronique Yvonne",
        "Akono Atangana Ayissi Bakari Bemba-Yoka Bikoro Bizimana Bokassa-Ngo Boukongou Ekani Etoundi Fotso "
        "Gatabazi Habimana Hakizimana Ilunga Kabongo Kalala Kamanzi Kasongo Katende Kayembe Lumbala Mabika "
        "Makosso Mbemba Mbarga Mboulou Mukendi Mulamba Munyaneza Mutombo Mvondo Ndayizeye-Rwasa Ndongo Ngoma "
        "Ngoyi Niyonzima Njitap Nkulu Nsengiyumva Ntaganda-Bora Nzambi Nzeyimana Okemba Onana Tchuente "
        "Tshimanga Tshilumba Uwimana",
    ),
    "east_african": (
        "west",
        "Abel Amos Barasa Benard Charles Daudi Elijah Ezra Fredrick Gilbert Hamisi Isaac Jackson Jeremiah "
        "Joram Juma Kamau Kariuki Kimani Kipchoge-Arap Kiprono Kwizera Mutiso Mwangi Ndung'u Nelson Njoroge "
        "Ochieng Odhiambo Okello Omondi Onyango Otieno Patrick Peter-Maina Rashidi Salim Samson Solomon "
        "Wafula Wekesa Yusufu Zakayo",
        "Achieng Agnes Akinyi Apio Asha Atieno Auma Beatrice Chebet Doreen Esther Faith Florence Grace "
        "Halima Jane Jepkosgei Joyce Lucy Mwanaisha Nafula Nakato Namukasa Neema Njeri Nyambura Prisca "
        "Rehema Rose Sarah Subira Wambui Wanjiku Winfred Zawadi Zuhura",
        "Achola Barongo Byaruhanga Chebukati-Rono Gathogo Gichuru Kaggwa Kamotho Karanja Karuri Kasozi "
        "Katumba Kiggundu Kilonzo Kimemia Kinyua Kiplagat Kisanga Koech Kyalo Lubega Lukwago Lyimo Macharia "
        "Magezi Maganga Makori Masaba Massawe Mbugua Mkapa-Nyoni Moshi Mugisha Mukasa Muriuki Musoke Mutai "
        "Mutua Mwakyusa Mwinyi-Shomari Nabwera Nakitare Ndegwa Ngugi Nsubuga Nyaga Nyongesa Obura Ocheng "
        "Odongo Oduya Ogola Okoth Onyancha Opiyo Rwegasira Ssempijja Tumusiime Waiganjo Were",
    ),
    "horn_african": (
        "west",
        "Abdi Abebe Abera Abraham-Haile Addisu Asfaw Asrat Ayele Bekele Berhane Berhanu Biruk Dawit Debebe "
        "Demeke-Tafa Endale Ermias Eyasu Fikre Getachew Girma-Worku Habtamu Hagos Kassa Kebede Lemma Mekonnen "
        "Mesfin Mulugeta Negash Samuel Shimelis-Ato Solomon Tadesse Tekle Teshome Tewolde Worku Yared Yohannes Zerihun",
        "Abeba Aberash Almaz Aster Azeb Bezawit Birtukan Eden Elsabet Fana Genet Hana Hirut Kidist Lemlem "
        "Letebrhan Makeda Meaza Meseret Mulu Rahel Saba Selam Senait Tigist Tirunesh-Dina Tsehay Worknesh "
        "Yodit Zenebech",
        "Abate Adane Admasu Alemayehu Ambaye Araya Asefa Assefa Beyene Dagne Desta Eshetu Fisseha "
        "Gebremariam Gebreselassie Gebretsadik Haile Hailu Kidane Lakew Legesse Mamo Mengesha Mengistu-Abay "
        "Mulat Negussie Shiferaw Tafari Tamrat Tefera Tesfaye Tilahun Wolde Woldemariam Yimer Zeleke Zewdie",
    ),
    "somali": (
        "west",
        "Abdi Abdirahman Abdirizak Abdulkadir Ahmed-Nur Ali-Yare Bashir Bile Dahir Farah Guled Hersi Hirsi "
        "Ismail-Geedi Jama Liban Mahad Mukhtar Nur Osman Said Samatar Warsame Yasin-Dhere Yusuf-Garaad",
        "Amina Asha Asli Ayaan Deqa Edna-Hodan Faduma Fartun Habiba Hamdi Hibo Hodan Ifrah Idil Khadra "
        "Ladan Maryan Nimo Sagal Sahra Ubah Zahra",
        "Abokor Adan Aideed-Qaybe Barre-Iman Bihi-Deria Dirie Duale Egal-Rooble Elmi Galaydh-Nur Gedi Guleid "
        "Hashi Isse Jirdeh Kulmiye Mataan Muse Nuur Omaar Qalib Roble Shire Siyad-Dol Tarabi Waabberi Weheliye Yalahow",
    ),
    "southern_african": (
        "west",
        "Bheki Bongani Dumisani Fana Jabulani Kabelo Kagiso Kgosi Khaya Lebogang Lindani Lungile Lwazi "
        "Mandla Mangaliso Mpho Musa Njabulo Nkosana Nkululeko Phumzile-Sizwe Pule Sandile Sibusiso-Jabu "
        "Simphiwe Sipho Siyabonga Tebogo Thabo-Zola Thamsanqa Themba Thulani Tshepo Tumelo Vusi Xolani Zweli "
        "Farai Tafadzwa Tendai Tatenda Simba Blessing Chipo-Nash Takudzwa",
        "Ayanda Boitumelo Busisiwe Dikeledi Gugu Keabetswe-Neo Khanyisile Lerato Lindiwe Mmabatho Mpumi "
        "Naledi Nandi Nokuthula Nomalanga Nombuso Nomsa Nomvula Ntombi Palesa Puleng Refilwe Sindisiwe "
        "Thandeka Thandiwe Thoko Tsholofelo Zandile Zanele Zodwa Chiedza Nyasha Rudo Rutendo Tsitsi Vimbai",
        "Buthelezi-Nene Cele Chauke Chiwenga-Moyo Dlomo Dube Gumede Gwala Hadebe Hlongwane Kekana Khoza "
        "Khumalo Kunene Lekota-Modise Mabaso Mabuza-Sithe Madonsela-Zitha Mahlangu Majola Makhaya Maluleke "
        "Maphosa Maseko Mashaba Masondo Matlala Mavuso Mbatha Mbeki-Nyathi Mchunu Mdluli Mkhize-Zama Mofokeng "
        "Mokoena Molefe Moloi Moyo Mthembu Mtshali Muchena Mudenda Mutasa-Gono Ncube Ndlovu Ngubane Ngwenya "
        "Nkosi Nkuna Nyoni Phiri Radebe Sebego Seretse-Kwena Shabalala Sibanda Sithole Tau Tladi Tsvangirai-Zimba "
        "Vilakazi Xaba Zulu Zwane Banda Chisanga Mwale Mumba Tembo Zimba Hamutenya-Iipinge Nghidinwa Shikongo",
    ),
    "malagasy": (
        "west",
        "Andry-Lala Haja Hanitra-Solo Hery-Tiana Jaona Lalaina Mamy Mamisoa Naina Njaka Rado Ravo Rivo Solofo "
        "Tahina Tojo Toky Zo",
        "Bakoly Fanja Fara Hanta Hasina Lalao Lanto Mialy Nirina Noro Oly Sahondra Soa Vola Voahangy Zoely",
        "Andriamanana Andriamihaja Andriantsoa Rabearivelo Rabemananjara Rafaralahy Rajaobelina "
        "Rakotobe Rakotomalala Rakotonirina Ramanantsoa-Be Ramaroson Randriamampita Randrianasolo "
        "Ranaivo Rasoanaivo Ratovoson Ratsimandresy Ravaloson Razafindrabe Razafimahatra",
    ),
    "caribbean": (
        "west",
        "Alston Barrington Carlisle Clevelon Cuthbert Delroy Denzil Desmond Earl Egbert Errol Everton "
        "Fitzroy Garfield Glenroy Hollis Kelvin Lennox Lester Linton Lloyd Melville Neville Orville "
        "Rawle Roydel Rupert Selwyn Sylvester Tyrone Vibert Winston Wycliffe",
        "Althea Arlene Beverley Cynthia Deloris Eugenia Gertrude Hyacinth Ionie Jacinth Joycelyn Kamla-Dee "
        "Lorraine Lucille Marva Maxine Merle Monica Olivine Paulette Pearl Portia-Lyn Roxanne Sandrea Una Verna "
        "Wilma Yvette Zelma",
        "Alleyne Archibald Babb Baptiste Bascombe Beckles Blackman Bramble Brathwaite Burrowes Carberry "
        "Cumberbatch Dottin Fingal Gittens Greenidge Haynes Hinds Inniss Joseph Lashley Lewin Lovell "
        "Maynard Nurse Padmore Payne Phillip Prescod Ramlogan Ramsaran Roach Sealy Skeete Sobers Springer "
        "St._Hilaire Toussaint-Roy Trotman Walcott Worrell Yearwood Persad Mahabir Sookdeo",
    ),
    "haitian": (
        "west",
        "Anténor Boniface Calixte Destin Edner Evens Fénelon Gesner Guerdy Jacques-Édouard Jean-Robert Joslin "
        "Kesnel Léopold Lyonel Maxo Nérée Occide Price Rony Smarck Wilner Ysmaël",
        "Anacaona Carline Edwidge Evelyne Fabiola Ginette Guerda Islande Kettly Magalie Marie-Ange Mirlande "
        "Myrtha Nadège Natacha Rose-Laure Ruth-Anne Suzette Yanick",
        "Alexandre-Paul Augustin Belizaire Bien-Aimé Casséus Célestin-Roy Charlot Desrosiers Dorvil Estimé-Lys "
        "Fleurant Geffrard Honorat Jean-Louis Jeudy Lafontant Laguerre Lamothe Latortue-Pierre Mathurin "
        "Mondésir Narcisse-Vil Nicolas Petit-Frère Philogène Pierre-Louis Saint-Fleur Théodat Valcin Vertus",
    ),
    "ancient": (
        "one",
        "Aldemar Arvandus Baldric Castor Corvin Darmon Eadric Eldegar Faramund-Rus Godwald Hadran Ivarr "
        "Kaldor Leofgar Malachar Merovald Nabonar Odoric Osmar Ptolandes Radomir Sargand Sigebert-Ald "
        "Tarquil Thelon Ulfgar Valdan Wulfric Xandrion Zoltar-Im",
        "Adalind Berenike-Ra Clothilda Drusana Eadgyth Fredegund-Ald Gwenor Hildreth Iseulda Jorunn Kyrenne "
        "Lysandra Melisende-Or Nefrara Oriane Philinna Radegund-Ise Semirana Thyra Ursamund Vasilia Ymira Zenomia",
        "",
    ),
}

_MONARCHS_M = (
    "Aldric Ansgar Baudry Casimir Dagobert Edric Ferrand Gustavus Haakon Hussan Isandor Jorund "
    "Kasimir Leofric Lothair Magnar Nikandros Oswin Otakar Rainier-Luc Ruprecht Sancho Sigmund "
    "Teodric Ubaldo Valdemar Wenceslas Yaroslav Zahir Theodmar Tupolo Rama-Deva Jayavarman Sobhuzi "
    "Moshweli Kigelo Mutesar Taufavaka Abdan Idris Faruq Zogu Pomari Kalakau Ranavo Menelor Hamengku"
).split()
_MONARCHS_F = (
    "Adelais Ingeborga Margareta Matilda Ragnfrid Seraphina Sophia Tamara Theodora Urraca Wilhelmine "
    "Yolanda Zenobia Leopoldina Kristiana Salotea Liliuka Philippa Joanna Eleanora Gunhilda"
).split()
_NUMERALS = "I II II III III IV IV V V VI VII VIII IX X XI XII XIV".split()
_POPES = (
    "Anastor Benedetto Caelestin Clementius Damasor Eugenios Gelasian Hadrianus Hilarion Kyrillian "
    "Leonidas Maximos Nektarian Pachomian Shenoudan Silvestran Tawadrian Theophan Zosiman Gevorkian"
).split()


def _words(table: str) -> list[str]:
    return [word.replace("_", " ") for word in table.split()]


_CULTURES: dict[str, tuple[str, list[str], list[str], list[str], list[str]]] = {
    key: (row[0], _words(row[1]), _words(row[2]), _words(row[3]), _words("".join(row[4:])))
    for key, row in _TABLES.items()
}
CULTURES = tuple(key for key in _CULTURES if key != "ancient")
_INITIALS = "ABCDEFGHJKLMNPRSTW"
_TITLES_M = (
    "Dr",
    "Dr.",
    "Sir",
    "Professor",
    "General",
    "Mr",
    "Colonel",
    "Admiral",
    "Lord",
    "Justice",
)
_TITLES_F = ("Dr", "Dr.", "Dame", "Professor", "Ms", "Mrs", "Lady", "Justice")


def _feminine(style: str, family: str) -> str:
    """Return the form a woman bears of a Slavic family name."""
    if style == "ru":
        if family.endswith(("ov", "ev", "yov", "in")):
            return family + "a"
    elif style == "pl":
        if family.endswith(("ski", "cki", "dzki")):
            return family[:-1] + "a"
    elif style == "cz":
        if family.endswith("ý"):
            return family[:-1] + "á"
        if family.endswith("ek"):
            return family[:-2] + "ková"
        if family.endswith("ec"):
            return family[:-2] + "cová"
        if family.endswith("a"):
            return family[:-1] + "ová"
        if not family.endswith("í"):
            return family + "ová"
    return family


def person(rng: Random, culture: str | None = None, female: bool | None = None) -> Person:
    """Draw an invented person; of one culture if given."""
    if culture is None:
        culture = CULTURES[int(rng.random() * len(CULTURES))]
    style, males, females, family, family_f = _CULTURES[culture]
    if female is None:
        female = rng.random() < 0.38
    pick = rng.choice
    first = pick(females if female else males)
    title = ""
    if rng.random() < 0.3:
        title = pick(_TITLES_F if female else _TITLES_M)
    if style in ("plain", "one"):
        return Person(first, first, female, title)
    last = pick(family_f if female and family_f else family)
    if female and not family_f:
        last = _feminine(style, last)
    if style not in ("cn", "tw", "vn", "my") and rng.random() < 0.03:
        first += " " + pick(("Chr.", "Fr.", "Joh.", "Alex.", "Aug.", "Bj.", "Sv.", "Kr.", "Wm."))
    chance = rng.random()
    if style == "en":
        if chance < 0.25:
            first += f" {pick(_INITIALS)}."
        elif chance < 0.32:
            first += " " + pick(females if female else males)
    elif style == "es":
        if chance < 0.18:
            first += " " + pick(females if female else males)
        if rng.random() < 0.4:
            second = pick(family)
            if second != last:
                last += (" y " if chance > 0.97 else " ") + second
    elif style == "pt":
        if chance < 0.3:
            last = (
                pick(("da ", "de ", "dos ", "", ""))
                + pick(("Cunha", "Silva", "Rocha", "Luz", last))
                + (" " + last)
            )
        elif chance < 0.4:
            last += " " + pick(("Filho", "Júnior", "Neto-Reis")) if not female else ""
    elif style == "in":
        if chance < 0.2:
            first = (
                f"{pick(_INITIALS)}. {pick(_INITIALS)}."
                if chance < 0.08
                else f"{pick(_INITIALS)}. {first}"
            )
        elif chance < 0.28:
            first += " " + pick(
                ("Kumar", "Chandra", "Prasad", "Nath", "Lal") if not female else ("Devi", "Rani")
            )
    elif style == "ar":
        if chance < 0.3:
            link = "bint" if female else pick(("bin", "bin", "ibn", "ben"))
            first += f" {link} {pick(males)}"
        elif chance < 0.4:
            first += " " + pick(males)
    elif style == "cn" or style == "tw":
        return Person(f"{last} {first}", last, female, title)
    elif style == "vn":
        middle = (
            pick(("Thị", "Ngọc", "Thanh", "Kim", "Thu"))
            if female
            else pick(("Văn", "Đức", "Hữu", "Quang", "Xuân", "Minh", "Công", "Bá", "Thế"))
        )
        return Person(f"{last} {middle} {first}", first, female, title)
    elif style == "id":
        if chance < 0.22:
            name = pick(family) if chance < 0.12 else first
            return Person(name, name, female, title)
        if chance < 0.4:
            first += " " + pick(females if female else males)
    elif style == "my":
        link = pick((" bint ", " ", " binti ")) if female else pick((" bin ", " "))
        return Person(first + link + last, first, female, title)
    last = last.strip()
    return Person(f"{first} {last}", last, female, title)


def monarch(rng: Random, female: bool | None = None) -> Person:
    """Draw an invented monarch such as "Haakon IX"."""
    if female is None:
        female = rng.random() < 0.3
    name = rng.choice(_MONARCHS_F if female else _MONARCHS_M)
    full = f"{name} {rng.choice(_NUMERALS)}" if rng.random() < 0.8 else name
    if rng.random() < 0.06:
        full = (
            f"{name} {rng.choice(_NUMERALS)} {rng.choice(_MONARCHS_F if female else _MONARCHS_M)}"
        )
    return Person(full, name, female, "Queen" if female else "King")


def patriarch(rng: Random) -> Person:
    """Draw the invented head of a church such as "Maximos IV"."""
    name = rng.choice(_POPES)
    return Person(f"{name} {rng.choice(_NUMERALS)}", name, False, "")


def people(rng: Random, count: int, culture: str | None = None) -> list[Person]:
    """Draw ``count`` people with different names, mostly of the same culture."""
    if culture is None:
        culture = CULTURES[int(rng.random() * len(CULTURES))]
    found: list[Person] = []
    used: set[str] = set()
    while len(found) < count:
        own = culture if rng.random() < 0.85 else None
        candidate = person(rng, own)
        if candidate.full in used or candidate.last in used:
            continue
        used.update((candidate.full, candidate.last))
        found.append(candidate)
    return found


def tables() -> dict[str, tuple[list[str], list[str]]]:
    """Return for each culture the first and the family names, for checks of overlap."""
    return {key: (row[1] + row[2], row[3] + row[4]) for key, row in _CULTURES.items()}
